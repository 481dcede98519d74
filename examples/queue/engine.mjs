/** The library. In a project of your own: `export { BunzaiError, convert } from 'bunzai';`. */
export { BunzaiError, convert } from '../../dist/index.js';
