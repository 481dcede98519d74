import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

/** The studio: a static site in `dist/studio` that needs no server of its own. */
export default defineConfig({
  root: 'src/ui/page',
  base: './',
  plugins: [svelte()],
  worker: { format: 'es' },
  build: {
    outDir: '../../../dist/studio',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
