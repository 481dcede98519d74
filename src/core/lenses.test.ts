import { expect, test } from 'vitest';
import { text } from './codec.ts';
import { create, put } from './lens.ts';
import { at, lensesFor } from './lenses.ts';

interface Body {
  name?: string;
}
const name = [lensesFor<Body>().field('name', at('shelf.title', 'label'), text())];

test('a value without a spelling in the file takes the first that can be written', () => {
  expect(put(name, { zz: 1 }, { name: 'Орла' })).toEqual({ zz: 1, shelf: { title: 'Орла' } });
  expect(put(name, { shelf: 7 }, { name: 'Орла' })).toEqual({ shelf: 7, label: 'Орла' });
  expect(put(name, { shelf: ['a'], label: 3 }, { name: 'Орла' })).toEqual({ shelf: ['a'], label: 'Орла' });
  expect(create(name, {}, { name: 'Орла' })).toEqual({ shelf: { title: 'Орла' } });
});

test('cleared and set again, it stands where setting it at once puts it', () => {
  const twin = { shelf: 0.5, label: 'a' };
  const cleared = put(name, twin, {});
  expect(cleared).toEqual({ shelf: 0.5 });
  expect(put(name, cleared, { name: 'b' })).toEqual(put(name, twin, { name: 'b' }));
});
