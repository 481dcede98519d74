import { describe, expect, test } from 'vitest';
import { differences, parse } from '../../../test/kit/adapter.ts';
import { engine } from '../../../test/kit/lumiverse.ts';
import {
  edited,
  extensions,
  labels,
  left,
  made,
  member,
  mira,
  modules,
  read,
  write,
  zip,
} from '../../../test/kit/lumiverse-character.ts';
import { bytesOf, equalBytes, isBytes } from '../../core/bytes.ts';
import { valueAt, type Wire } from '../../core/draft.ts';
import { writeZip } from '../_shared/zip.ts';
import { lumiverse } from './character.ts';

const names = (bytes: Uint8Array) => zip(bytes).members.map(({ name }) => name);

const picture = (n: number) => bytesOf(new Uint8Array([0xff, 0xd8, 0xff, 0xe0, n]), 'image/jpeg');

describe('an archive', () => {
  test('modules are read beside the card', () => {
    const { body } = read(mira);
    expect(labels(body.media.assets)).toEqual(['emotion neutral', 'emotion ยิ้ม', 'emotion Juno/angry', 'other 7c']);
    expect(body.media.assets?.every(({ ref }) => isBytes(ref))).toBe(true);
    expect(isBytes(body.media.portrait?.ref)).toBe(true);
    expect(body.variants?.map(({ id, label }) => [id, label])).toEqual([
      ['f-1', 'Young'],
      ['f-2', 'Storm'],
      ['av-1', 'Oilskin'],
    ]);
    expect(isBytes(valueAt(body.variants?.[2]?.overrides, ['media', 'portrait', 'ref']))).toBe(true);
  });
  test('unedited, every member is what it was, in its order', () => {
    const out = write(read(mira)).bytes;
    expect(names(out)).toEqual(names(mira));
    for (const { name, content } of zip(out).members)
      expect(equalBytes(content, zip(mira).get(name)?.content as never), name).toBe(true);
  });
  test('what stays in escrow is named', () => {
    expect(left(read(mira))).toEqual([
      'modules.expressions.enabled',
      'modules.expressions.defaultExpression',
      'modules.landing_perspective_layers',
      'modules.regex_scripts',
    ]);
    expect(lumiverse.account(read(mira)).warnings?.map(({ code }) => code)).toEqual(['card.carries-code']);
  });
  test('an edit of the card leaves the modules byte for byte, and the other way round', () => {
    const renamed = write(
      edited(read(mira), (body) => {
        body.identity.description = 'x';
      }),
    ).bytes;
    expect(zip(renamed).get('lumiverse_modules.json')?.content.bytes()).toEqual(
      zip(mira).get('lumiverse_modules.json')?.content.bytes(),
    );
    const relabelled = write(
      edited(read(mira), (body) => {
        body.variants = (body.variants ?? []).slice(1);
      }),
    ).bytes;
    expect(zip(relabelled).get('card.json')?.content.bytes()).toEqual(zip(mira).get('card.json')?.content.bytes());
    expect(differences(modules(mira), modules(relabelled))).toEqual(['alternate_fields.description']);
  });
  test('an expression keeps its member under a new label, and a new picture takes its place', () => {
    const renamed = write(
      edited(read(mira), (body) => {
        body.media.assets = (body.media.assets ?? []).map((one) =>
          one.label === 'ยิ้ม' ? { ...one, label: 'smile' } : one,
        );
      }),
    ).bytes;
    expect(valueAt(modules(renamed), ['expressions', 'mappings'])).toEqual({
      neutral: 'assets/other/image/expr_neutral.png',
      smile: 'assets/other/image/expr_____.png',
    });
    const shot = write(
      edited(read(mira), (body) => {
        body.media.assets = (body.media.assets ?? []).map((one) =>
          one.label === 'neutral' ? { ...one, ref: picture(1) } : one,
        );
      }),
    ).bytes;
    expect(names(shot)).toContain('assets/other/image/expr_neutral.jpg');
    expect(names(shot)).not.toContain('assets/other/image/expr_neutral.png');
    expect(read(shot).body.media.assets?.[0]?.mime).toBe('image/jpeg');
  });
  test('pictures that nobody asks for any more go', () => {
    const out = write(
      edited(read(mira), (body) => {
        body.media = {};
        delete body.variants;
      }),
    ).bytes;
    expect(names(out)).toEqual(['card.json', 'assets/other/image/landing_layer_fog_l1.png', 'lumiverse_modules.json']);
    expect(read(out).body.media).toEqual({});
  });
  test('a new archive: expressions in the modules, everything else in rows, the main picture in both', () => {
    const out = write(
      made((body) => {
        body.media = {
          portrait: { role: 'portrait', ref: picture(1) },
          assets: [
            { role: 'emotion', label: 'sad', ref: picture(2) },
            { role: 'emotion', label: 'Juno/glad', ref: picture(3) },
            { role: 'background', label: 'pier', ref: picture(4) },
          ],
        };
        body.variants = [
          { id: 'v', label: 'Wet', overrides: { media: { portrait: { role: 'portrait', ref: picture(5) } } } },
        ];
      }),
    ).bytes;
    expect(modules(out)).toMatchObject({
      version: 1,
      expressions: { enabled: true, defaultExpression: 'sad', mappings: { sad: 'assets/other/image/expr_sad.jpg' } },
      expression_groups: { groups: { Juno: { glad: 'assets/other/image/exprg_Juno--glad.jpg' } } },
      alternate_avatars: [{ id: 'v', label: 'Wet', path: 'assets/icon/image/v.jpg' }],
    });
    const rows = valueAt(member(out, 'card.json'), ['data', 'assets']) as Wire[];
    expect(rows.map(({ type, uri }) => [type, uri])).toEqual([
      ['icon', 'embeded://assets/icon/image/main.jpg'],
      ['background', 'embeded://assets/background/image/pier.jpg'],
    ]);
    const { body } = read(out);
    expect(labels(body.media.assets)).toEqual(['emotion sad', 'emotion Juno/glad', 'background pier']);
    expect(equalBytes(body.media.portrait?.ref as never, picture(1))).toBe(true);
    expect(write(read(out)).bytes).toEqual(out);
  });
  test('a new archive has modules, so that it is known again', async () => {
    const out = write(
      made(() => {}),
      { container: 'charx' },
    ).bytes;
    expect(modules(out)).toEqual({ version: 1 });
    expect((await engine.detect(out))?.format).toBe('lumiverse');
  });
  test('an archive goes to JSON with its alternates in the card', () => {
    const card = parse(write(read(mira), { container: 'json' }).bytes);
    expect(extensions(card).alternate_fields).toMatchObject({
      description: [{ id: 'f-1' }],
      personality: [{ id: 'f-2' }],
    });
    expect(read(card).body.variants?.map(({ id }) => id)).toEqual(['f-1', 'f-2']);
  });
  test('modules that cannot be read are kept as they are', () => {
    const broken = bytesOf(new TextEncoder().encode('{"version": 1'));
    const members = zip(mira).members.map((one) =>
      one.name === 'lumiverse_modules.json' ? { name: one.name, content: broken } : one,
    );
    const bytes = writeZip(members.map(({ name, content }) => ({ name, content })));
    const entity = read(bytes);
    expect(lumiverse.account(entity).warnings?.map(({ code }) => code)).toEqual(['charx.part']);
    const out = write(
      edited(entity, (body) => {
        body.identity.description = 'x';
      }),
    ).bytes;
    expect(zip(out).get('lumiverse_modules.json')?.content.bytes()).toEqual(broken.bytes());
  });
});
