import { expect, test } from 'vitest';
import { changes, sample, source } from '../../../test/formats/files.ts';
import { copied } from '../../../test/risu/kit.ts';
import type { Wire } from '../../core/draft.ts';
import { createEngine } from '../../engine.ts';
import type { AnyEntity, EntityOf } from '../../entities/kinds.ts';
import { type Zip, zipOf } from '../_shared/zip.ts';
import vaud from '../vaud-json/index.ts';
import risu from './index.ts';
import { openModule } from './risum.ts';

const engine = createEngine([...risu, ...vaud]);
const bytesOf = (name: string): Uint8Array => new Uint8Array(sample('risu', name).bytes);

/** The entities of a file after a stay in the library's own storage. */
async function stored(bytes: Uint8Array): Promise<readonly AnyEntity[]> {
  const { files } = await engine.convert(bytes, 'vaud-json');
  const read = await Promise.all(files.map((file) => engine.read(file.bytes)));
  return read.flatMap(({ entities }) => entities);
}

test.each(['risu-module.bay.risum', 'risu.assets.png'])('%s comes out of storage as it went in', async (name) => {
  const { files } = await engine.write(await stored(bytesOf(name)), name.endsWith('.png') ? 'risu' : 'risu-module');
  expect(files.map(({ bytes }) => bytes)).toContainEqual(bytesOf(name));
});

test('an archive comes out of storage with the same members, its module byte for byte', async () => {
  const bytes = bytesOf('risu.module.charx');
  const { files } = await engine.write(await stored(bytes), 'risu');
  const members = (file: Uint8Array) =>
    (zipOf(source(file)) as Zip).members.map(({ name, content }) => [
      name,
      Buffer.from(content.bytes()).toString('hex'),
    ]);
  expect(files.map((file) => members(file.bytes))).toEqual([members(bytes)]);
});

test('an edit after storage touches its own row of the module alone', async () => {
  const bytes = bytesOf('risu-module.bay.risum');
  const [entity] = (await stored(bytes)) as [EntityOf<'lorebook'>];
  const body = copied(entity.body);
  Object.assign(body.entries[0] ?? {}, { content: 'x' });
  const { files } = await engine.write([{ ...entity, body }], 'risu-module');
  const value = (file: Uint8Array | undefined) => openModule(file ?? new Uint8Array()).value as Wire;
  expect(changes(value(bytes), value(files[0]?.bytes))).toEqual(['module.lorebook.1.content']);
});
