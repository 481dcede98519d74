/** The formats of the engine, and the apps behind them. */
import type { FormatInfo } from '../../../engine-types.ts';
import { engine } from '../engine.ts';

function createRoster() {
  let formats = $state.raw<readonly FormatInfo[]>([]);
  const families = $derived.by(() => {
    const names = new Map<string, string>();
    for (const { family, kind, label } of formats) {
      // A family is called as its cards are.
      const name = label.split(' (')[0] ?? label;
      if (kind === 'character' || !names.has(family)) names.set(family, name);
    }
    for (const [family, name] of names) names.set(family, APPS[family] ?? name);
    return names;
  });

  return {
    get all() {
      return formats;
    },
    format: (id: string) => formats.find((format) => format.id === id),
    /** The app that a format belongs to, as people call it. */
    family(id: string): string {
      const family = formats.find((format) => format.id === id)?.family ?? id;
      return families.get(family) ?? family;
    },
    async start() {
      formats = await engine.formats();
    },
  };
}

/** Families whose card format is not called as the app. */
const APPS: Readonly<Record<string, string>> = {
  'vaud-json': 'bunzai',
  marinara: 'Marinara',
  novelai: 'NovelAI',
  backyard: 'Backyard',
};

export const roster = createRoster();
