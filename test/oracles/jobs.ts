/** Every way to write a file that some judge can read. */
import type { Job } from './fresh.ts';

export const JOBS: readonly Job[] = [
  { kind: 'character', target: 'sillytavern', container: 'json', variant: 'v2' },
  { kind: 'character', target: 'sillytavern', container: 'json', variant: 'v3' },
  { kind: 'character', target: 'sillytavern', container: 'png' },
  { kind: 'character', target: 'risu', container: 'charx' },
  { kind: 'character', target: 'risu', container: 'jpeg' },
  { kind: 'character', target: 'risu', container: 'png' },
  { kind: 'character', target: 'lumiverse', container: 'json' },
  { kind: 'character', target: 'lumiverse', container: 'png' },
  { kind: 'character', target: 'lumiverse', container: 'charx' },
  { kind: 'character', target: 'rolecall', container: 'json' },
  { kind: 'character', target: 'rolecall', container: 'png' },
  { kind: 'character', target: 'pygmalion', container: 'json' },
  { kind: 'character', target: 'pygmalion', container: 'png' },
  { kind: 'character', target: 'byaf', container: 'byaf' },
  { kind: 'lorebook', target: 'sillytavern-lorebook', container: 'json' },
  { kind: 'lorebook', target: 'novelai-lorebook', container: 'json' },
  { kind: 'lorebook', target: 'novelai-lorebook', container: 'png' },
  { kind: 'lorebook', target: 'agnai-lorebook', container: 'json' },
  { kind: 'lorebook', target: 'risu-lorebook', container: 'json' },
  { kind: 'persona', target: 'sillytavern-persona', container: 'json' },
  { kind: 'regex', target: 'sillytavern-regex', container: 'json' },
  { kind: 'preset', target: 'sillytavern-preset', container: 'json' },
  ...['instruct', 'context', 'sysprompt', 'reasoning', 'textgen', 'kobold', 'novel', 'master'].map(
    (dialect): Job => ({ kind: 'preset', target: 'sillytavern-preset', container: 'json', dialect }),
  ),
  ...['quickreply-v2', 'quickreply-v1'].map(
    (dialect): Job => ({ kind: 'preset', target: 'sillytavern-quickreply', container: 'json', dialect }),
  ),
];
