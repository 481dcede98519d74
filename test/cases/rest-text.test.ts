import { describe, expect, test } from 'vitest';
import { sample } from '../formats/files.ts';
import { character, dataUri, engine, json, targetsOf, text, v2 } from './rest-kit.ts';

const LEGACY = '<USER> <user> <Bot> <BOT> <CHAR> {{user}} {{Char}}';
const MACROS = '{{userName}} {{persona}} {{getvar::x}} {{random:a,b}} {{time}}';
const UNTIDY = 'You: hi\\n\n{{char}}: "yes"  \n\n\n\nYou:\tlater \n';

describe('macros and text', () => {
  test('RW-060 legacy placeholders of any letter case: untouched in the same format, braces where only those are known', async () => {
    const card = text(v2({ description: LEGACY }));
    const same = await engine.convert(card, 'sillytavern');
    expect(json(same.files[0]?.bytes)).toEqual(JSON.parse(card));
    const { files, report } = await engine.convert(card, 'backyard');
    expect(files[0] && Buffer.from(files[0].bytes).toString()).toContain(
      '{user} {user} {character} {character} {character} {user} {character}',
    );
    expect(report.losses).toContainEqual(expect.objectContaining({ path: 'identity.description', kind: 'changed' }));
  });

  test.each(targetsOf('character'))(
    'RW-061 macros of one app stay as they are in %s, and another app lists each once',
    async (target) => {
      const { files, report } = await engine.convert(text(v2({ description: MACROS, personality: '' })), target);
      const back = character((await engine.read(files[0]?.bytes ?? '')).entities);
      expect(Object.values({ ...back.body.identity, ...back.body.persona })).toContain(MACROS);
      const listed = report.warnings.filter(({ code }) => code === 'text.macro');
      const names = target === 'sillytavern' ? [] : ['userName', 'persona', 'getvar', 'random', 'time'];
      expect(listed.map(({ message }) => message)).toEqual(names.map((name) => expect.stringContaining(`{{${name}}}`)));
      for (const { path } of listed) expect(path).toBe('identity.description');
    },
  );

  test.each(targetsOf('character'))('RW-062 nobody tidies text on the way to %s', async (target) => {
    const { files, report } = await engine.convert(text(v2({ description: UNTIDY, mes_example: UNTIDY })), target);
    const { body } = character((await engine.read(files[0]?.bytes ?? '')).entities);
    const named = report.losses.map(({ path }) => path);
    if (!named.includes('identity.description')) expect(body.identity.description).toBe(UNTIDY);
    if (!named.includes('examples.exampleMessages')) expect(body.examples.exampleMessages).toBe(UNTIDY);
    expect(['agnai', 'byaf', 'pygmalion'].includes(target) || !named.includes('identity.description')).toBe(true);
  });
});

const BACKUP = {
  personas: { 'wren.png': 'Wren', 'orla.png': 'Orla' },
  persona_descriptions: {
    'wren.png': { description: 'A deckhand.', position: 0 },
    'orla.png': { description: 'A surveyor.', position: 0 },
  },
  default_persona: 'wren.png',
};

describe('personas', () => {
  test.each(targetsOf('persona'))(
    'RW-063 a backup names its pictures and holds none: said on the way to %s',
    async (target) => {
      const { warnings, entities } = await engine.inspect(text(BACKUP));
      expect(entities.map(({ name }) => name)).toEqual(['Wren', 'Orla']);
      expect(warnings.filter(({ code }) => code === 'persona.picture-by-name')).not.toEqual([]);
      const { report } = await engine.convert(text(BACKUP), target);
      expect(report.warnings.filter(({ code }) => code === 'persona.picture-by-name')).not.toEqual([]);
    },
  );

  const orla = sample('marinara', 'marinara-persona.orla.json');
  const PARTS = ['comment', 'personaStats', 'altDescriptions', 'tags', 'avatar', 'sprites'];

  test('RW-064 a Marinara persona keeps comment, stats, tags, alternatives and avatar in its own format', async () => {
    const { files, report } = await engine.convert(orla.bytes, 'marinara');
    expect(json(files[0]?.bytes)).toEqual(JSON.parse(orla.text));
    expect(report.losses).toEqual([]);
  });

  test.each(targetsOf('persona').filter((id) => !id.startsWith('marinara')))(
    'RW-064 a Marinara persona to %s: each part is mapped or named',
    async (target) => {
      const { files, report } = await engine.convert(orla.bytes, target);
      const named = [...report.losses, ...report.escrowed].map(({ path, value }) => `${path} ${value}`).join('\n');
      const read = await Promise.all(files.map(({ bytes }) => engine.read(bytes)));
      const out = JSON.stringify(read.map(({ entities }) => entities));
      const { data } = JSON.parse(orla.text);
      expect(out.includes('visitor') || /comment|brief|visitor/.test(named)).toBe(true);
      expect(out.includes('Energy') || named.includes('personaStats')).toBe(true);
      expect(out.includes('Her maps') || named.includes('altDescriptions')).toBe(true);
      expect(out.includes('surveyor"') || /tags|traits/.test(named)).toBe(true);
      expect(out.includes(data.avatar) || /portrait|avatar/.test(named)).toBe(true);
      expect(named).toContain('sprites');
      expect(PARTS.every((part) => part in data)).toBe(true);
    },
  );

  test('RW-064 a portrait that a persona format cannot hold is named', async () => {
    const persona = { ...JSON.parse(orla.text), data: { ...JSON.parse(orla.text).data, avatar: dataUri(2) } };
    const { report } = await engine.convert(text(persona), 'sillytavern');
    expect(report.losses).toContainEqual(expect.objectContaining({ path: 'media.portrait.ref', kind: 'dropped' }));
  });
});
