/** The laws of the prompt manager and of the rule rows, on files with repeats, orphans, odd rows and wrong types. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountOf } from '../../core/coverage.ts';
import type { Wire } from '../../core/draft.ts';
import { claimsOf, get, type Lens, put } from '../../core/lens.ts';
import { emptyPersona } from '../../entities/persona/schema.ts';
import { emptyPreset, emptyPrompt, type PresetPrompt } from '../../entities/preset/schema.ts';
import { emptyRegex, type RegexRule } from '../../entities/regex/schema.ts';
import { presetFields } from '../_shared/preset-fields.ts';
import { personaFields } from './persona.ts';
import { regexFields } from './regex.ts';

const numRuns = Number(process.env.RUNS ?? 300);
const odd = fc.constantFrom<unknown>(null, 'odd', 7, [1]);
const one = (...values: readonly unknown[]) => fc.constantFrom<unknown>(...values);
const mostly = <T>(usual: fc.Arbitrary<T>) => fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: odd });
const plainJson = (value: unknown): Wire => frozen(JSON.parse(JSON.stringify(value))) as Wire;

function frozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/** Unedited is the twin; an account never throws; what was written is its own twin. Gives back what reads back. */
function lawful<B>(fields: readonly Lens<B>[], wire: Wire, empty: () => B, edit: (body: B) => B): [wanted: B, back: B] {
  const body = get(fields, wire, empty());
  expect(put(fields, wire, body)).toBe(wire);
  accountOf(claimsOf(fields as readonly Lens<never>[], wire), wire);
  const wanted = edit(structuredClone(body));
  const out = put(fields, wire, wanted);
  const back = get(fields, out, empty());
  expect(put(fields, out, back)).toBe(out);
  return [wanted, back];
}

const identifier = one('a', 'b', 'main', 'chatHistory', '', 7, undefined);
const promptRow = fc.record({
  identifier,
  name: one('x', undefined, 5),
  content: one('', 't', undefined, 3),
  role: one('user', 'system', 'narrator', undefined),
  enabled: one(true, false, 'false', undefined),
  marker: one(true, false, undefined),
  injection_position: one(0, 1, 9, '2', null),
});
const entry = fc.record({
  identifier: fc.oneof(identifier, one('ghost')),
  enabled: one(true, false, 1, 'true', undefined),
});
const presetWire = fc
  .record({
    temperature: one(1, '1.5', null, 'warm'),
    main_prompt: one(undefined, 'm'),
    jailbreak_prompt: one(undefined, 'j', 4),
    prompts: mostly(fc.array(mostly(promptRow), { maxLength: 6 })),
    prompt_order: mostly(
      fc.array(
        fc.record({
          character_id: one(100000, 100001, '100001'),
          order: mostly(fc.array(mostly(entry), { maxLength: 6 })),
        }),
        { maxLength: 3 },
      ),
    ),
  })
  .map(plainJson);

type Step = readonly [what: string, which: number, where: number];
const steps = (...names: string[]) =>
  fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(9), fc.nat(9)), { maxLength: 3 }) as fc.Arbitrary<Step[]>;

/** Moves, removes or adds a row; false where the step is not one of these. */
function moved<R>(rows: R[], [what, which, where]: Step, fresh: () => R): boolean {
  if (what === 'add') rows.splice(where % (rows.length + 1), 0, fresh());
  const at = which % Math.max(rows.length, 1);
  if (what === 'drop') rows.splice(at, 1);
  if (what === 'move') rows.splice(where % Math.max(rows.length, 1), 0, ...rows.splice(at, 1));
  return ['add', 'drop', 'move'].includes(what);
}

test('prompts: sequence, switches and texts read back after any edit', () => {
  fc.assert(
    fc.property(presetWire, steps('drop', 'move', 'add', 'switch', 'text', 'name'), (wire, edits) => {
      const [wanted, back] = lawful(presetFields, wire, emptyPreset, (body) => {
        let added = 0;
        for (const step of edits) {
          const fresh = () => ({
            ...emptyPrompt(`new-${added++}`),
            name: 'N',
            enabled: step[1] % 2 === 0,
          });
          const prompt = body.prompts[step[1] % Math.max(body.prompts.length, 1)];
          if (moved(body.prompts, step, fresh) || !prompt) continue;
          if (step[0] === 'switch') prompt.enabled = !prompt.enabled;
          if (step[0] === 'text') prompt.content = 'edited';
          if (step[0] === 'name') prompt.name = 'edited';
        }
        return body;
      });
      // A row without an identifier is known by its place.
      const told = ({ id, name, content, role, enabled }: PresetPrompt) => [
        id.replace(/^row-.*/, 'row'),
        name,
        content,
        role,
        enabled,
      ];
      expect(back.prompts.map(told)).toEqual(wanted.prompts.map(told));
    }),
    { numRuns },
  );
});

const ruleRow = fc.record({
  id: one('1', '2', '', undefined, 7),
  scriptName: one('n', '', undefined, 3),
  findRegex: one('/a/g', 'a', '/a/', '/a/zz', '//', '', undefined, 4, '/x', '/a/b/'),
  replaceString: one('r', undefined),
  trimStrings: one([], ['a'], null, 't', undefined),
  placement: one([], [1], [0, 2, '3'], [1, 1], null, 2, ['x', 1], undefined),
  markdownOnly: one(true, false, 'true', 0, undefined, 'z'),
  promptOnly: one(true, false, undefined),
  minDepth: one(null, 0, '2', undefined),
  substituteRegex: one(0, 2, true, 'x'),
  disabled: one(true, 1, undefined),
});
const EDITS: Readonly<Record<string, readonly Partial<RegexRule>[]>> = {
  find: ['z', '/z/g', 'a/b', '/', '//'].map((find) => ({ find })),
  flags: [{ flags: 'g' }, { flags: 'su' }],
  phases: [[], ['input'], ['output', 'slash'], ['lorebook', 'reasoning']].map((phases) => ({ phases })),
  targets: [['display'], ['prompt'], ['display', 'prompt'], []].map((targets) => ({ targets })),
  extras: [{ extras: { placement: [4, 8] } }],
  trim: [{ trimStrings: ['q'] }, { trimStrings: [] }],
  depth: [{ minDepth: 5 }],
};

test('rules: every slot reads back after any edit', () => {
  fc.assert(
    fc.property(
      fc.array(mostly(ruleRow), { maxLength: 4 }),
      steps('drop', 'move', ...Object.keys(EDITS)),
      (rows, edits) => {
        const wire = plainJson({ rows });
        const [wanted, back] = lawful(regexFields, wire, emptyRegex, (body) => {
          for (const step of edits) {
            if (moved(body.rules, step, () => body.rules[0] as RegexRule)) continue;
            const rule = body.rules[step[1] % Math.max(body.rules.length, 1)];
            const choices = EDITS[step[0]] ?? [];
            if (rule) Object.assign(rule, choices[step[2] % Math.max(choices.length, 1)]);
          }
          return body;
        });
        const sorted = (list: readonly unknown[] | undefined) => [...(list ?? [])].sort();
        const told = ({ id: _, label, flags, phases, targets, trimStrings, extras, ...rule }: RegexRule) => ({
          ...rule,
          label: label || undefined,
          flags: rule.find === '' ? undefined : flags,
          trimStrings: trimStrings ?? [],
          phases: sorted(phases),
          targets: sorted(targets),
          extras: sorted(extras?.placement as readonly unknown[] | undefined),
        });
        expect(back.rules.map(told)).toEqual(wanted.rules.map(told));
      },
    ),
    { numRuns },
  );
});

const descriptor = fc.record({
  description: one('d', '', null, 4),
  position: one(0, 1, 4, 9, 7, '4', null, 'x', undefined),
  depth: one(2, '3', null, 'x', undefined),
  role: one(0, 1, 'user', 9, undefined),
  lorebook: one('b', '', null, 5),
  title: one('t', undefined),
});

test('personas: every slot reads back after any edit', () => {
  const places = ['prompt', 'author_note_top', 'in_chat', 'none'];
  fc.assert(
    fc.property(mostly(descriptor), fc.nat(3), fc.option(fc.nat(5)), fc.boolean(), (held, place, depth, clear) => {
      const wire = plainJson({ personas: 'W', persona_descriptions: held });
      // Nothing is written through a text or a list that stands where the descriptor should.
      const stands = typeof held === 'object' && !Array.isArray(held);
      const [wanted, back] = lawful(personaFields, wire, emptyPersona, (body) => {
        if (!stands) return body;
        const at = { position: places[place] ?? 'prompt', ...(depth === null ? {} : { depth }) };
        return clear ? { name: body.name } : { ...body, content: 'new', chatInjection: at };
      });
      expect(back.chatInjection).toEqual(wanted.chatInjection);
      expect(back.content ?? '').toBe(wanted.content ?? '');
    }),
    { numRuns },
  );
});
