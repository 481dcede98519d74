import { describe, expect, test } from 'vitest';
import { jsonValueOf } from './core/json.ts';
import { sourceOf } from './core/source.ts';
import { createEngine } from './engine.ts';
import type { AnyAdapter } from './entities/kinds.ts';
import { cardOf } from './formats/_shared/card-io.ts';
import { formats } from './formats/index.generated.ts';

const engine = createEngine(formats as readonly AnyAdapter[]);
const text = (value: unknown) => JSON.stringify(value);
const card = {
  spec: 'chara_card_v2',
  spec_version: '2.0',
  data: {
    name: 'Mira',
    first_mes: 'Hi.',
    extensions: { fav: true, world: 'My secret notes', 'orla/paint': { hue: 3 } },
  },
  chat: 'Mira - yesterday',
  fav: true,
};

describe('a file to be shared', () => {
  test('a card leaves its marks of private use behind, and each is named', async () => {
    const { files, report } = await engine.convert(text(card), 'sillytavern', { share: true });
    const out = new TextDecoder().decode(files[0]?.bytes);
    expect(out).not.toMatch(/yesterday|secret notes|"fav"/);
    expect(out).toContain('orla/paint');
    const named = report.warnings.filter(({ code }) => code === 'share.removed').map(({ path }) => path);
    expect(named).toEqual(['chat', 'fav', 'data.extensions.fav', 'data.extensions.world']);
  });

  test('a picture is sealed anew, in every payload', async () => {
    const png = await engine.convert(text(card), 'sillytavern', { container: 'png' });
    const { files } = await engine.convert(png.files[0]?.bytes ?? '', 'sillytavern', { share: true });
    const outcome = cardOf(sourceOf(files[0]?.bytes ?? new Uint8Array()));
    expect(JSON.stringify(outcome)).not.toMatch(/yesterday|secret notes/);
    expect(JSON.stringify(outcome)).toContain('orla/paint');
  });

  test('a preset leaves its secrets behind; without share they stay in a same-format file', async () => {
    const preset = {
      temperature: 1,
      top_p: 1,
      prompts: [],
      prompt_order: [],
      reverse_proxy: 'https://example.invalid',
      proxy_password: 'hunter2',
    };
    const plain = await engine.convert(text(preset), 'sillytavern');
    expect(new TextDecoder().decode(plain.files[0]?.bytes)).toContain('hunter2');
    const { files } = await engine.convert(text(preset), 'sillytavern', { share: true });
    expect(jsonValueOf(sourceOf(files[0]?.bytes ?? new Uint8Array()))).toEqual({
      temperature: 1,
      top_p: 1,
      prompts: [],
      prompt_order: [],
    });
  });
});
