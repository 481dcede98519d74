import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  alike,
  archive,
  at,
  differingMembers,
  made,
  membersOf,
  readOne,
  sample,
  withSlot,
  write,
} from '../../../test/backyard/kit.ts';
import type { Greeting } from '../../entities/character/schema.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { byaf } from './byaf.ts';

const LAMP = sample('byaf/byaf.lampkeeper.byaf');
const SEVERAL = sample('byaf/byaf.several-firsts.byaf');
const ALTS = 'greetings.alternateGreetings';

beforeAll(() => byaf.prepare?.('write'));

const altsOf = (entity: EntityOf<'character'>) => entity.body.greetings.alternateGreetings ?? [];
const plain = (greetings: readonly Greeting[]) =>
  greetings.map(({ text, title }) => (title === undefined ? text : `${title}: ${text}`));
const withAlts = (bytes: Uint8Array, change: (alts: Greeting[]) => Greeting[]) => {
  const entity = readOne(byaf, bytes);
  return write(byaf, withSlot(entity, ALTS, change([...altsOf(entity)]))).bytes;
};
const scenarioNames = (bytes: Uint8Array) =>
  Object.keys(membersOf(bytes)).filter((name) => /^scenarios\/.*json$/.test(name));
const listed = (bytes: Uint8Array) => at(membersOf(bytes)['manifest.json'], 'scenarios');
const firsts = (bytes: Uint8Array, name: string) => at(membersOf(bytes)[name], 'firstMessages');

describe('reading', () => {
  test('further first messages are untitled, then each later scenario is called by its narrative', () => {
    expect(altsOf(readOne(byaf, SEVERAL))).toEqual([
      { text: 'Two.', id: 'byaf:scenarios/one.json#1' },
      { text: 'Three.', id: 'byaf:scenarios/one.json#2' },
      { text: '매듭을 볼래?', id: 'byaf:scenarios/two.json' },
    ]);
    expect(plain(altsOf(readOne(byaf, LAMP)))).toEqual(['בוקר שקט בנמל: You slept through it.']);
  });
  test("a later scenario with the primary's narrative is untitled, unless it has a title", () => {
    const members = membersOf(SEVERAL);
    const two = { ...(members['scenarios/two.json'] as object), title: 'Knots' };
    expect(altsOf(readOne(byaf, archive({ ...members, 'scenarios/two.json': two })))[2]?.title).toBe('Knots');
    const silent = { ...two, narrative: '' };
    expect(altsOf(readOne(byaf, archive({ ...members, 'scenarios/two.json': silent })))[2]?.title).toBe('Knots');
  });
  test('a later scenario without a first message is no opening and is never removed as an orphan', () => {
    const members = membersOf(LAMP);
    const quiet = { ...(members['scenarios/scenario2.json'] as object), firstMessages: [] };
    const bytes = archive({ ...members, 'scenarios/scenario2.json': quiet });
    expect(altsOf(readOne(byaf, bytes))).toEqual([]);
    const after = withAlts(bytes, () => [{ text: 'new' }]);
    expect(listed(after)).toEqual(['scenarios/scenario1.json', 'scenarios/scenario2.json', 'scenarios/scenario3.json']);
  });
});

describe('writing', () => {
  test('an edited opening goes back into its own scenario, chat and sampler kept', () => {
    const bytes = withAlts(LAMP, ([alt]) => [{ ...alt, text: 'New.' }]);
    expect(differingMembers(LAMP, bytes)).toEqual(['scenarios/scenario2.json']);
    const before = membersOf(LAMP)['scenarios/scenario2.json'] as object;
    expect(membersOf(bytes)['scenarios/scenario2.json']).toEqual({
      ...before,
      firstMessages: [{ characterID: 'lampkeeper', text: 'New.' }],
    });
  });
  test('a title that was the narrative is edited as the narrative; cleared, the narrative is the primary one', () => {
    const of = (title: string | undefined) => {
      const bytes = withAlts(LAMP, ([alt]) => [
        { text: alt?.text ?? '', ...(alt?.id ? { id: alt.id } : {}), ...(title ? { title } : {}) },
      ]);
      const { narrative, title: own } = membersOf(bytes)['scenarios/scenario2.json'] as Record<string, unknown>;
      expect(plain(altsOf(readOne(byaf, bytes)))).toEqual([
        title ? `${title}: You slept through it.` : 'You slept through it.',
      ]);
      return [narrative, own];
    };
    expect(of('Dawn')).toEqual(['Dawn', 'Boker']);
    expect(of(undefined)).toEqual(['A storm is coming. 폭풍이 온다.', undefined]);
    expect(of('A storm is coming. 폭풍이 온다.')).toEqual([
      'A storm is coming. 폭풍이 온다.',
      'A storm is coming. 폭풍이 온다.',
    ]);
  });
  test('an edited primary narrative takes the untitled openings along and leaves titled ones', () => {
    const entity = readOne(byaf, SEVERAL);
    const bytes = write(byaf, withSlot(entity, 'persona.scenario', 'The quay.')).bytes;
    expect(at(membersOf(bytes)['scenarios/two.json'], 'narrative')).toBe('The quay.');
    expect(altsOf(readOne(byaf, bytes))).toEqual(altsOf(entity));
    const clash = write(byaf, withSlot(readOne(byaf, LAMP), 'persona.scenario', 'בוקר שקט בנמל')).bytes;
    expect(altsOf(readOne(byaf, clash))).toEqual(altsOf(readOne(byaf, LAMP)));
  });
  test('a twin that holds several first messages keeps them', () => {
    const bytes = withAlts(SEVERAL, ([a, b, c]) => [{ ...a, text: 'Zwei.' }, b, c] as Greeting[]);
    expect(differingMembers(SEVERAL, bytes)).toEqual(['scenarios/one.json']);
    expect(firsts(bytes, 'scenarios/one.json')).toEqual(
      ['One.', 'Zwei.', 'Three.'].map((text) => ({ characterID: 'noa', text })),
    );
  });
  test('a new opening is a scenario of its own with the narrative, instructions and sampler of the primary', () => {
    const bytes = withAlts(LAMP, (alts) => [...alts, { text: 'Untitled' }, { text: 'Titled', title: 'Dusk' }]);
    expect(listed(bytes)).toEqual([1, 2, 3, 4].map((n) => `scenarios/scenario${n}.json`));
    const primary = membersOf(LAMP)['scenarios/scenario1.json'] as Record<string, unknown>;
    const { title, backgroundImage, ...kept } = primary;
    const fresh = {
      ...kept,
      exampleMessages: [],
      messages: [],
      firstMessages: [{ characterID: 'lampkeeper', text: 'Untitled' }],
    };
    expect(membersOf(bytes)['scenarios/scenario3.json']).toEqual(fresh);
    expect(at(membersOf(bytes)['scenarios/scenario4.json'], 'title')).toBe('Dusk');
    expect(plain(altsOf(readOne(byaf, bytes))).slice(1)).toEqual(['Untitled', 'Dusk: Titled']);
    expect([title, backgroundImage]).not.toContain(undefined);
  });
  test('a scenario whose opening was removed goes, with the manifest line and its picture', () => {
    const members = membersOf(LAMP);
    const picture = members['scenarios/scenario1-background.png'];
    const two = { ...(members['scenarios/scenario2.json'] as object), backgroundImage: 'scenarios/two.png' };
    const bytes = withAlts(
      archive({ ...members, 'scenarios/scenario2.json': two, 'scenarios/two.png': picture }),
      () => [],
    );
    expect(scenarioNames(bytes)).toEqual(['scenarios/scenario1.json']);
    expect(listed(bytes)).toEqual(['scenarios/scenario1.json']);
    expect(Object.keys(membersOf(bytes)).filter((name) => name.endsWith('.png'))).toHaveLength(3);
    const shared = { ...two, backgroundImage: 'scenarios/scenario1-background.png' };
    const kept = withAlts(archive({ ...members, 'scenarios/scenario2.json': shared }), () => []);
    expect(membersOf(kept)).toHaveProperty(['scenarios/scenario1-background.png']);
  });
  test('openings meet their scenario by id, then by text and title, then by title', () => {
    const [alt] = altsOf(readOne(byaf, LAMP));
    if (!alt) throw new Error('an opening is expected');
    const { id: _, ...bare } = alt;
    expect(
      alike(
        withAlts(LAMP, () => [bare]),
        LAMP,
      ),
    ).toBe(true);
    expect(
      differingMembers(
        LAMP,
        withAlts(LAMP, () => [{ ...bare, text: 'x' }]),
      ),
    ).toEqual(['scenarios/scenario2.json']);
    const other = withAlts(LAMP, () => [{ text: 'x', title: 'y' }]);
    expect(scenarioNames(other)).toEqual(['scenarios/scenario1.json', 'scenarios/scenario3.json']);
  });
  test('a made-up id leads nowhere', () => {
    for (const id of [
      'byaf:../../etc/passwd',
      'byaf:scenarios/scenario1.json',
      'byaf:scenarios/scenario1.json#0',
      'byaf:manifest.json',
      '__proto__',
    ]) {
      const bytes = withAlts(LAMP, (alts) => [...alts, { text: 'x', id }]);
      expect(scenarioNames(bytes)).toEqual([1, 2, 3].map((n) => `scenarios/scenario${n}.json`));
      expect(differingMembers(LAMP, bytes)).toEqual(['manifest.json', 'scenarios/scenario3.json']);
    }
  });
  test('a title given to a further first message moves it into a scenario of its own', () => {
    const bytes = withAlts(SEVERAL, ([a, b, c]) => [{ ...a, title: 'Second' }, b, c] as Greeting[]);
    expect(plain(altsOf(readOne(byaf, bytes)))).toEqual(['Three.', 'Second: Two.', '매듭을 볼래?']);
  });
  test('a new order of the openings is the order of the manifest', () => {
    const bytes = withAlts(LAMP, (alts) => [{ text: 'first', title: 'a' }, ...alts]);
    expect(listed(bytes)).toEqual(['scenarios/scenario1.json', 'scenarios/scenario3.json', 'scenarios/scenario2.json']);
  });
  test('what the manifest lists beside keeps its place when scenarios come and go', () => {
    const members = membersOf(LAMP);
    const scenarios = ['scenarios/scenario1.json', 7, 'scenarios/gone.json', 'scenarios/scenario2.json', 'x'];
    const manifest = { ...(members['manifest.json'] as object), scenarios };
    const bytes = archive({ ...members, 'manifest.json': manifest });
    expect(listed(withAlts(bytes, () => []))).toEqual(scenarios.filter((path) => path !== 'scenarios/scenario2.json'));
    expect(listed(withAlts(bytes, (alts) => [...alts, { text: 'new' }]))).toEqual([
      ...scenarios,
      'scenarios/scenario3.json',
    ]);
  });
  test('a cleared first message brings no further one up', () => {
    const bytes = write(byaf, withSlot(readOne(byaf, SEVERAL), 'greetings.firstMessage', undefined)).bytes;
    const { firstMessage, alternateGreetings } = readOne(byaf, bytes).body.greetings;
    expect([firstMessage ?? '', plain(alternateGreetings ?? [])]).toEqual(['', ['Two.', 'Three.', '매듭을 볼래?']]);
    expect(
      firsts(
        write(byaf, withSlot(readOne(byaf, LAMP), 'greetings.firstMessage', undefined)).bytes,
        'scenarios/scenario1.json',
      ),
    ).toEqual([]);
  });
});

describe('any edit', () => {
  const texts = fc.constantFrom('Hi', 'You slept through it.', 'Two.', '雪 {user}', 'b\nc');
  const titles = fc.constantFrom(undefined, 'The rope shop.', 'Boker', 'בוקר שקט בנמל', 'New');
  const ids = fc.constantFrom(
    undefined,
    'byaf:scenarios/two.json',
    'byaf:scenarios/one.json#1',
    'byaf:scenarios/scenario2.json',
    'x',
  );
  const alternates = fc.array(
    fc
      .tuple(texts, titles, ids)
      .map(([text, title, id]): Greeting => ({ text, ...(title ? { title } : {}), ...(id ? { id } : {}) })),
    { maxLength: 5 },
  );
  const narratives = fc.constantFrom('', 'The rope shop.', 'New', 'Boker');
  test('what is written reads back, and reads back as its own twin', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(LAMP, SEVERAL, undefined),
        alternates,
        narratives,
        texts,
        (bytes, alts, narrative, first) => {
          const source = bytes ? readOne(byaf, bytes) : made({});
          const edited = [
            [ALTS, alts],
            ['persona.scenario', narrative],
            ['greetings.firstMessage', first],
          ].reduce((entity, [path, value]) => withSlot(entity, path as string, value), source);
          const sealed = write(byaf, edited);
          const back = readOne(byaf, sealed.bytes);
          expect(back.body.greetings.firstMessage).toBe(first);
          expect(back.body.persona.scenario ?? '').toBe(narrative);
          // Further first messages of the primary come before scenarios: among themselves both keep their order.
          expect(plain(altsOf(back)).sort()).toEqual(plain(alts).sort());
          if (bytes !== SEVERAL) expect(plain(altsOf(back))).toEqual(plain(alts));
          const paths = listed(sealed.bytes) as string[];
          expect(paths.toSorted()).toEqual(scenarioNames(sealed.bytes).sort());
          expect(alike(write(byaf, back).bytes, sealed.bytes)).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});
