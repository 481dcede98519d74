/** A worker of its own for patterns of strangers: the page ends it when it takes too long. */
import { type Trial, tryOut } from './tryout.ts';

addEventListener('message', ({ data }: MessageEvent<Trial>) => postMessage(tryOut(data)));
postMessage('ready');
