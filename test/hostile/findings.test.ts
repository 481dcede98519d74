/** What fuzzing and reading with an attacker's eye found, each once: small inputs, generated. */
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { printJson } from '../../src/core/json-print.ts';
import { entityFaults } from '../../src/entities/validate.ts';
import { character, engine, greeted, json, targetsOf, text, v2, v3 } from '../cases/rest-kit.ts';

const INHERITED = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

describe('words that every object inherits', () => {
  test.each(INHERITED)('%s as type and ending of an asset is an unknown one', async (word) => {
    const card = v3({ assets: [{ type: word, name: word, ext: word, uri: 'https://far.invalid/a' }] });
    const { entities } = await engine.read(text(card));
    expect(entities.flatMap((entity) => entityFaults(entity))).toEqual([]);
    const [asset] = character(entities).body.media.assets ?? [];
    expect([asset?.role, asset?.mime]).toEqual(['other', undefined]);
    for (const target of targetsOf('character')) await engine.convert(text(card), target);
  });

  test.each(INHERITED)('%s as name of a prompt is no place of any app', async (word) => {
    const preset = { prompts: [{ identifier: word, name: word, content: 'x', role: 'system' }], temperature: 1 };
    const { entities } = await engine.read(text({ ...preset, prompt_order: [], openai_max_context: 4096 }));
    for (const target of targetsOf('preset')) {
      const { files } = await engine.write(entities, target).catch(() => ({ files: [] }));
      for (const { bytes } of files) expect(Buffer.from(bytes).toString()).not.toContain('[native code]');
    }
  });

  test('keys of a card named as the prototype change nothing outside it, and come back', async () => {
    const hostile = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const card = JSON.stringify(v2({ extensions: 0 })).replace('"extensions":0', `"extensions":${hostile}`);
    const { files } = await engine.convert(card, 'sillytavern');
    expect(JSON.stringify(json(files[0]?.bytes).data.extensions)).toBe(hostile);
    for (const target of targetsOf('character')) await engine.convert(card, target);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('canonical files of strangers', () => {
  const canonical = async (b64: string) => {
    const { entities } = await engine.read(text(v2()));
    const { files } = await engine.write(entities, 'vaud-json');
    const value = json(files[0]?.bytes);
    value.original.sillytavern.sourceMedia = { b64, mime: 'image/png' };
    return value;
  };

  test('a picture in escrow that is no base64 is refused with its place', async () => {
    await expect(engine.read(text(await canonical('@@')))).rejects.toMatchObject({
      code: 'canonical.invalid',
      path: expect.stringContaining('sourceMedia'),
    });
  });

  test('a picture in escrow as an entity in JSON has it is taken as bytes', async () => {
    const entity = await canonical('AAAA');
    const { files } = await engine.write([entity], 'sillytavern');
    expect(json(files[0]?.bytes).data.name).toBe('Ada Reef');
  });
});

describe('many of one thing', () => {
  test('200,000 repeated keys are counted, a hundred are named', () => {
    const { value, warnings } = parseJson(`{${'"a":1,'.repeat(200_000)}"b":2}`);
    expect(value).toEqual({ a: 1, b: 2 });
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)?.message).toContain('199899 more');
  });
});

describe('JSON text', () => {
  test('a fault in front of 200,000 levels is named, not followed', () => {
    const broken = `["\n${'['.repeat(200_000)}`;
    expect(() => parseJson(broken)).toThrow(expect.objectContaining({ code: 'json.syntax' }));
    expect(() => parseJson(`{"a":tru,"b":"\n${'{"a":'.repeat(200_000)}`)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^json\./) }),
    );
  });

  test('odd numbers beside four million letters cost what the letters cost, and are printed as they were', () => {
    const long = `{"a":1.0,"b":"${'A'.repeat(4_000_000)}","c":[-0,1E3,12345678901234567890,"1.0"]}`;
    const start = process.cpuUsage();
    const { value } = parseJson(long);
    expect(printJson(value, 0)).toBe(long);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(1000);
  });

  test('values at great depth are printed in one line where indenting would print gigabytes', () => {
    const deep = `${'['.repeat(400)}${'0,'.repeat(200_000)}0${']'.repeat(400)}`;
    expect(printJson(parseJson(deep).value)).toBe(deep);
    expect(printJson({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
  });

  test('a card that would print as gigabytes is written, edited or not', async () => {
    const card = text(v2({ extensions: 0 })).replace(
      '"extensions":0',
      `"extensions":{"x":${'['.repeat(450)}${'0,'.repeat(400_000)}0${']'.repeat(450)}}`,
    );
    const { entities } = await engine.read(card);
    const { files } = await engine.write([greeted(character(entities), 'New.')], 'sillytavern');
    expect(files[0]?.bytes.byteLength).toBeLessThan(2_000_000);
  });
});
