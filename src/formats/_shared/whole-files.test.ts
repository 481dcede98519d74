import { afterEach, expect, test, vi } from 'vitest';
import { noise, opened, text } from '../../../test/kit/zip.ts';
import { bytesOf, joined } from '../../core/bytes.ts';
import { sourceOf } from '../../core/source.ts';
import { placeholderPng } from './placeholder.ts';
import { type Png, pngOf } from './png.ts';
import { writeTextChunks } from './png-write.ts';
import { writeZip } from './zip.ts';

afterEach(() => vi.restoreAllMocks());

/** What `write` makes where memory that is not cleared holds this byte. */
function over(byte: number, write: () => Uint8Array): Uint8Array {
  const spy = vi.spyOn(Buffer, 'allocUnsafeSlow').mockImplementation((size) => Buffer.alloc(size, byte) as never);
  const file = write();
  expect(spy).toHaveBeenCalled();
  spy.mockRestore();
  return file;
}

const archive = () =>
  writeZip(
    [
      { name: 'folder/', content: bytesOf(new Uint8Array()) },
      { name: 'a.png', content: bytesOf(noise(300)) },
      { name: '名.bin', content: bytesOf(text('x')), store: true },
    ],
    { comment: 'kept', prefix: bytesOf(noise(7)) },
  );
const picture = () =>
  writeTextChunks(pngOf(sourceOf(placeholderPng())) as Png, [
    { insert: { keyword: 'chara', text: 'e30=' } },
    { insert: { keyword: 'note', text: 'caf\u00e9' } },
  ]);

const passedOn = () =>
  writeZip(opened(archive()).members.map((member) => ({ name: member.name, content: member, stays: true })));

test.each([
  ['an archive', archive],
  ['an archive of members of another', passedOn],
  ['a picture', picture],
  ['pieces', () => joined([noise(3), noise(5)])],
])('no byte of a file is left unwritten: %s', (_, write) => {
  expect(over(0xa5, write)).toEqual(over(0x5a, write));
});
