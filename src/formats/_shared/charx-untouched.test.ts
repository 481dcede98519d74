import { expect, test } from 'vitest';
import { made, noise, text } from '../../../test/kit/zip.ts';
import { createEngine } from '../../engine.ts';
import risu from '../risu/index.ts';

const engine = createEngine(risu);
const CARD = text(
  JSON.stringify({
    spec: 'chara_card_v3',
    spec_version: '3.0',
    data: { name: 'Wren', assets: [{ type: 'icon', name: 'main', ext: 'png', uri: 'embeded://a.png' }] },
  }),
);

test('an archive in which nothing changed is the very file, as its own app packed it', async () => {
  const foreign = await made([
    ['card.json', CARD, { level: 9, comment: 'card' }],
    ['a.png', noise(500)],
  ]);
  const { format, entities } = await engine.read(foreign);
  const { files } = await engine.write(entities, format);
  expect(files[0]?.bytes).toEqual(foreign);
});

test('names that could leave the folder they are unpacked in are not passed on, untouched as they are', async () => {
  const unsafe = await made([
    ['card.json', CARD],
    ['a.png', noise(500)],
    ['../../b.png', noise(20)],
  ]);
  const { format, entities } = await engine.read(unsafe);
  await expect(engine.write(entities, format)).rejects.toMatchObject({ code: 'zip.unsafe-name' });
});
