/** Macros that texts take along to an app that may not know them. */
import type { Warning } from './core/errors.ts';
import type { AnyEntity } from './entities/kinds.ts';
import { eachText, few } from './texts.ts';

/** `{{name}}`, `{{name::argument}}`, `{{name argument}}`, `{{#name}}`; comments and bare numbers are none. */
const MACRO = /\{\{\s*([#/]?[a-z_]\w*)(?=[\s:}])/gi;
/** Every app has them, or the target's own fields translate them. */
const COMMON: ReadonlySet<string> = new Set(['char', 'user', 'original']);

/** One warning for each macro name in the texts of an entity that goes to another app, with the fields that use it. */
export function macroWarnings(entity: AnyEntity): Warning[] {
  const found = new Map<string, { spelled: string; paths: Set<string> }>();
  if (entity.kind === 'regex') return [];
  eachText(
    entity.body,
    (text, path) => {
      for (const [, spelled = ''] of text.matchAll(MACRO)) {
        const name = spelled.toLowerCase().replace(/^[#/]/, '');
        if (COMMON.has(name)) continue;
        const one = found.get(name) ?? { spelled: spelled.replace(/^[#/]/, ''), paths: new Set() };
        one.paths.add(path);
        found.set(name, one);
      }
    },
    '{{',
  );
  return [...found.values()].map(({ spelled, paths }) => ({
    code: 'text.macro',
    path: few([...paths]),
    message: `the macro {{${spelled}}} is carried as it is: the other app may not know it`,
  }));
}
