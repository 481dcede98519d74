import { bag, type Codec, flag, list, rawList, text } from '../../core/codec.ts';
import { existsAt, isRecord, keysOf, valueAt, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { at, lensesFor } from '../../core/lenses.ts';
import { record } from '../../core/record.ts';
import { character } from '../../entities/character/lenses.ts';
import type {
  CharacterBody,
  CharacterRegexScript,
  ImagePrompt,
  TriggerScript,
} from '../../entities/character/schema.ts';

/** A pair of two values as a list of two: `[phrase, weight]`. */
const pair = <A extends object>(
  first: keyof A & string,
  second: keyof A & string,
  fits: (a: unknown, b: unknown) => boolean,
): Codec<A> => ({
  shape: `[${first}, ${second}]`,
  read: (raw) =>
    Array.isArray(raw) && fits(raw[0], raw[1]) ? ({ [first]: raw[0], [second]: raw[1] } as A) : undefined,
  write: (value, previous) => [value[first], value[second], ...(Array.isArray(previous) ? previous.slice(2) : [])],
});

const isText = (value: unknown): boolean => typeof value === 'string';

const script = lensesFor<CharacterRegexScript>();
/** Rows of rules in a card or a module. */
export const scripts = list(
  record<CharacterRegexScript>(
    [
      script.field('label', at('comment'), text()),
      script.field('find', at('in'), text(), { absent: '' }),
      script.field('replace', at('out'), text(), { absent: '' }),
      script.field('phase', at('type'), text(), { absent: '' }),
      script.field('flags', at('flag'), text()),
      script.field('useFlags', at('ableFlag'), flag()),
    ],
    () => ({ find: '', replace: '', phase: '' }),
  ),
);

const trigger = lensesFor<TriggerScript>();
/** Rows of triggers in a card or a module. Data only. */
export const triggers = list(
  record<TriggerScript>(
    [
      trigger.field('label', at('comment'), text()),
      trigger.field('event', at('type'), text(), { absent: '' }),
      trigger.field('conditions', at('conditions'), rawList(), { absent: [] }),
      trigger.field('effects', at('effect'), rawList(), { absent: [] }),
    ],
    () => ({ event: '', conditions: [], effects: [] }),
  ),
);

/** RisuAI's own block of a card, over `data`. Scripts are text here: never run. */
export function risuFields(data: string): Lens<CharacterBody>[] {
  const home = (...names: readonly [string, ...string[]]) =>
    at(...(names.map((name) => `${data}.extensions.risuai.${name}`) as [string, ...string[]]));
  return [
    character.field('attribution.license', home('license'), text()),
    character.field('bias', home('bias'), list(pair('phrase', 'weight', (a, b) => isText(a) && typeof b === 'number'))),
    character.field('prompts.additionalText', home('additionalText'), text()),
    character.field('settings.risu.viewScreen', home('viewScreen'), text()),
    character.field('settings.risu.largePortrait', home('largePortrait'), flag()),
    character.field('settings.risu.inlayViewScreen', home('inlayViewScreen'), flag()),
    character.field('settings.risu.utilityBot', home('utilityBot'), flag()),
    character.field('settings.risu.lorePlus', home('lorePlus'), flag()),
    imagePrompt(data),
    voice(data),
    character.field('behavior.regexScripts', home('customScripts'), scripts),
    character.field('behavior.triggerScripts', home('triggerscript'), triggers),
    character.field('behavior.virtualScript', home('virtualscript'), text()),
    character.field('behavior.backgroundHTML', home('backgroundHTML'), text()),
    character.field('behavior.backgroundCSS', home('backgroundCSS'), text()),
    character.field('behavior.defaultVariables', home('defaultVariables'), text()),
    character.field('behavior.moduleToggles', home('toggles', 'customModuleToggle'), text()),
    character.field('behavior.prebuiltAsset.command', home('prebuiltAssetCommand'), flag()),
    character.field('behavior.prebuiltAsset.exclude', home('prebuiltAssetExclude'), list(text())),
    character.field('behavior.prebuiltAsset.style', home('prebuiltAssetStyle'), text()),
    character.field('behavior.privileged', home('lowLevelAccess'), flag()),
  ] as Lens<CharacterBody>[];
}

const IMAGE_TEXTS = ['prompt', 'negative', 'instructions', 'emotionInstructions'] as const;
const rowPairs = list(pair<{ label: string; value: string }>('label', 'value', (a, b) => isText(a) && isText(b)));

/** Image generation: four texts in `newGenData`, labelled rows in `sdData`. */
function imagePrompt(data: string): Lens<CharacterBody> {
  const base = [...keysOf(data), 'extensions', 'risuai'];
  const texts = IMAGE_TEXTS.map((name) => [name, [...base, 'newGenData', name]] as const);
  const rows = [...base, 'sdData'];
  return character.joint(['persona.imagePrompt'], {
    wire: [`${data}.extensions.risuai.newGenData`, `${data}.extensions.risuai.sdData`],
    shape: 'four texts and labelled rows',
    lossy: true,
    note: 'prefix, suffix and template have no place',
    read(wire) {
      const prompt: ImagePrompt = {};
      for (const [name, keys] of texts) {
        const value = text().read(valueAt(wire, keys));
        if (value !== undefined && value !== '') prompt[name] = value;
      }
      const pairs = rowPairs.read(valueAt(wire, rows)) ?? [];
      if (pairs.length > 0) prompt.rows = pairs;
      return Object.keys(prompt).length === 0 ? {} : { 'persona.imagePrompt': prompt };
    },
    write({ twin, set, delete: remove }, { 'persona.imagePrompt': now = {} }, { 'persona.imagePrompt': before = {} }) {
      for (const [name, keys] of texts) {
        if (now[name] === before[name]) continue;
        if (now[name] !== undefined) set(keys, now[name]);
        else if (existsAt(twin, keys)) set(keys, '');
      }
      if (JSON.stringify(now.rows) === JSON.stringify(before.rows)) return;
      if (now.rows) set(rows, rowPairs.write(now.rows, valueAt(twin, rows)));
      else remove(rows);
    },
  }) as Lens<CharacterBody>;
}

/** Speech: RisuAI keeps the files of its own model; other providers have no place. */
function voice(data: string): Lens<CharacterBody> {
  const keys = [...keysOf(data), 'extensions', 'risuai', 'vits'];
  const held = (wire: Wire) => {
    const raw = bag().read(valueAt(wire, keys));
    return raw && Object.keys(raw).length > 0 ? raw : undefined;
  };
  return character.joint(['persona.voice'], {
    wire: [`${data}.extensions.risuai.vits`],
    shape: 'object',
    lossy: true,
    note: 'only the vits provider has a place',
    read(wire) {
      const raw = held(wire);
      return raw ? { 'persona.voice': { provider: 'vits', extras: raw } } : {};
    },
    write({ set, delete: remove }, { 'persona.voice': now }) {
      if (now?.provider === 'vits' && isRecord(now.extras)) set(keys, now.extras);
      else if (now === undefined) remove(keys);
    },
  }) as Lens<CharacterBody>;
}
