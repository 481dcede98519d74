import { expect, test } from 'vitest';
import { emptyCharacter } from '../../../entities/character/schema.ts';
import { emptyEntry } from '../../../entities/lorebook/schema.ts';
import type { PlainEntity } from '../../item/model.ts';
import { patched } from '../../item/patch.ts';
import { characterFields } from './character.ts';
import type { FieldTable } from './describe.ts';
import { FIELDS } from './index.ts';
import { labelsOf, pathOf } from './label.ts';
import { entryFields, entryGroups } from './lorebook.ts';
import { renamePatches } from './rename.ts';
import { dateText, moved, numberOf, patchFor, secondsOf } from './values.ts';

const every = (table: FieldTable): [string, FieldTable[string]][] =>
  Object.entries(table).flatMap(([path, field]) => [
    [path, field] as [string, typeof field],
    ...every(field.rows ?? {}),
  ]);

test('every field has a name in each language, and every section of a table has one', () => {
  const tables = [...Object.values(FIELDS), { table: entryFields, groups: entryGroups }];
  for (const { table, groups } of tables) {
    for (const [path, { label, help, options }] of every(table))
      for (const said of [label, ...(help ? [help] : []), ...Object.values(options ?? {})])
        expect(
          said.filter((text) => text.trim() === ''),
          path,
        ).toEqual([]);
    for (const [path, field] of Object.entries(table))
      expect(Object.keys(groups), path).toContain(field.group ?? (path.includes('.') ? path.split('.')[0] : ''));
  }
});

test('an emptied slot goes away, a required one stays, and an object is made whole', () => {
  const body = emptyCharacter();
  expect(patchFor(body, 'identity.tagline', characterFields['identity.tagline'], '')).toEqual({
    path: ['identity', 'tagline'],
    value: undefined,
  });
  expect(patchFor(body, 'identity.name', characterFields['identity.name'], '').value).toBe('');
  const voice = patchFor(body, 'persona.voice.rate', characterFields['persona.voice.rate'], 1.2);
  expect(patched(body, [voice]).persona.voice).toEqual({ provider: '', rate: 1.2 });
  const filter = patchFor(emptyEntry('1'), 'characterFilter.names', entryFields['characterFilter.names'], ['Mira']);
  expect(filter.value).toEqual({ names: ['Mira'], tags: [], isExclude: false });
});

test('rows move, and stay where there is no such place', () => {
  const rows = ['a', 'b', 'c'];
  expect(moved(rows, 2, 0)).toEqual(['c', 'a', 'b']);
  expect(moved(rows, 0, 3)).toBe(rows);
  expect(moved(rows, 5, 0)).toBe(rows);
});

test('numbers and dates as people type them', () => {
  expect([numberOf('0,5'), numberOf(' '), numberOf('two'), numberOf('-3')]).toEqual([0.5, undefined, undefined, -3]);
  expect(secondsOf(dateText(1_700_000_040))).toBe(1_700_000_040);
  expect([dateText(undefined), dateText(1e300), secondsOf('')]).toEqual(['', '', undefined]);
});

test('RW-104 typing a new name of a book leads every link along, and half a name leads none astray', () => {
  const card = (over: object): PlainEntity =>
    ({ kind: 'character', id: 'mira', body: { ...emptyCharacter(), ...over } }) as PlainEntity;
  const book = (id: string, name: string): PlainEntity => ({ kind: 'lorebook', id, body: { name, entries: [] } });
  const before = [
    card({ worldName: 'Pier', knowledgeRefs: ['Pier', 'tides'] }),
    book('b', 'Pier'),
    book('tides', 'Ti'),
  ];
  let now = before;
  for (const name of ['Ti', 'Tid', 'Tides']) now = patched(now, renamePatches(before, now, 1, name));
  expect(now[1]?.body).toMatchObject({ name: 'Tides' });
  expect(now[0]?.body).toMatchObject({ worldName: 'Tides', knowledgeRefs: ['Tides', 'tides'] });
  expect(now[2]).toBe(before[2]);
  expect(renamePatches(before, before, 1, '')).toEqual([{ path: [1, 'body', 'name'], value: '' }]);
});

test('a place in a body reads as words', () => {
  const said = (kind: 'character' | 'lorebook', path: string) =>
    labelsOf(kind, pathOf(path)).map((one) => (typeof one === 'number' ? one : one[0]));
  expect(said('lorebook', 'entries[2].sortOrder')).toEqual(['Entries', 3, 'Order']);
  expect(said('character', 'greetings.alternateGreetings[0].text')).toEqual(['Greetings', 1, 'Text']);
  expect(said('character', 'identity.name')).toEqual(['Name']);
  expect(said('character', 'settings.risu.viewScreen')).toEqual(['RisuAI: view screen']);
  expect(said('character', 'nothing.known[+3]')).toEqual(['nothing', 'known', 4]);
});
