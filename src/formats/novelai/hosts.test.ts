import { describe, expect, test } from 'vitest';
import { parse, withValue } from '../../../test/kit/adapter.ts';
import { entryOf, left, read, row, rowsOf, scenario, story, written } from '../../../test/kit/novelai.ts';
import { keysOf, valueAt } from '../../core/draft.ts';

describe('books inside scenarios and stories', () => {
  const HOSTS = [
    ['scenario', scenario, 'lorebook'],
    ['story', story, 'content.lorebook'],
  ] as const;

  test.each(HOSTS)('a %s gives its book and nothing else', (dialect, host, home) => {
    const entity = read(host);
    expect(entity.body).toEqual(read(valueAt(host, keysOf(home))).body);
    expect(entity.original?.['novelai-lorebook']?.unmapped).toEqual({ dialect });
  });
  test.each(HOSTS)('an edit changes only the book of a %s, and the file keeps its kind', (dialect, host, home) => {
    const entity = read(host);
    const body = structuredClone(entity.body);
    body.entries[0]!.content = 'edited';
    const sealed = written({ ...entity, body });
    expect(sealed.container.extension).toBe(dialect);
    expect(parse(sealed.bytes)).toEqual(
      withValue(host, `${home}.entries`, [
        { ...row(host, 0, `${home}.entries`), text: 'edited' },
        ...rowsOf(host, `${home}.entries`).slice(1),
      ]),
    );
  });
  test('the rest of a story is escrow, named by its topmost keys', () => {
    const paths = left(story);
    expect(paths).toContain('metadata');
    expect(paths).toContain('content.story');
    expect(paths).toContain('content.lorebook.entries[0].searchRange');
    expect(paths.some((path) => path.startsWith('content.lorebook.entries[0].text'))).toBe(false);
  });
  test('placeholders of a scenario are never expanded', () => {
    const value = withValue(scenario, 'lorebook.entries', [{ text: 'Hi \x24{name}, %{x}', keys: ['$name'] }]);
    expect(entryOf(value)).toMatchObject({ content: 'Hi \x24{name}, %{x}' });
  });
});
