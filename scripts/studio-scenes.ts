/** Invented cards, books and libraries for pictures and measurements of the studio. */
import type { Page } from 'playwright-core';
import { type Dropped, drop, imported, sample } from '../test/studio/page.ts';

const json = (name: string, value: unknown): Dropped => ({ name, bytes: Buffer.from(JSON.stringify(value)) });

interface Scene {
  readonly name: string;
  readonly hue: number;
  readonly description: string;
  readonly greeting: string;
  readonly tags: readonly string[];
}

const SCENES: readonly Scene[] = [
  {
    name: '灯台守の澪',
    hue: 210,
    description: '岬の灯台をひとりで守る。声は小さいが、海のことなら夜どおし話す。',
    greeting: '*扉がきしむ。* 「……こんな嵐の夜に、珍しいお客さま。濡れた外套はそこへどうぞ。」',
    tags: ['日本語', '海', '穏やか'],
  },
  {
    name: 'Оля Нордова',
    hue: 150,
    description: 'Смотрительница оранжереи на краю города.',
    greeting: 'Осторожно, *ступенька*. Здесь всегда темно в это время года.',
    tags: ['русский', 'slice of life'],
  },
  {
    name: '沈月',
    hue: 280,
    description: '旧书店的店主，记得每一本书的主人。',
    greeting: '*她抬起头。*“想找什么书？还是，只是来躲雨的？”',
    tags: ['中文', '书店'],
  },
  {
    name: 'Captain Ida Quill',
    hue: 25,
    description: 'Runs the night ferry between two towns that do not speak to each other.',
    greeting: '"Last boat," she says, not looking up. *The rope is already off.*',
    tags: ['adventure', 'ferry'],
  },
  {
    name: 'Bram the Glassmith',
    hue: 350,
    description: 'Makes lamps that remember the rooms they were lit in.',
    greeting: 'Mind your sleeves. Everything on this bench is either hot or sharp.',
    tags: ['fantasy', 'craft'],
  },
  {
    name: '미나',
    hue: 95,
    description: '옥상 정원에서 차를 파는 사람.',
    greeting: '어서 오세요. *찻주전자에서 김이 오른다.*',
    tags: ['한국어', 'slice of life'],
  },
];

/** A quiet landscape as a PNG, drawn in the page. */
async function art(page: Page, hue: number): Promise<Buffer> {
  const base64 = await page.evaluate((given) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 480, height: 640 });
    const context = canvas.getContext('2d');
    if (!context) return '';
    const sky = context.createLinearGradient(0, 0, 0, 640);
    sky.addColorStop(0, `hsl(${given} 45% 18%)`);
    sky.addColorStop(0.7, `hsl(${(given + 40) % 360} 55% 52%)`);
    sky.addColorStop(1, `hsl(${(given + 60) % 360} 60% 70%)`);
    context.fillStyle = sky;
    context.fillRect(0, 0, 480, 640);
    context.fillStyle = `hsl(${(given + 50) % 360} 80% 88%)`;
    context.beginPath();
    context.arc(120 + ((given * 7) % 240), 190, 46, 0, 7);
    context.fill();
    for (let layer = 0; layer < 4; layer++) {
      context.fillStyle = `hsl(${given} ${30 - layer * 4}% ${34 - layer * 7}%)`;
      context.beginPath();
      context.moveTo(0, 640);
      for (let x = 0; x <= 480; x += 8)
        context.lineTo(x, 380 + layer * 62 + Math.sin(x / (60 - layer * 8) + given + layer * 2) * (34 - layer * 5));
      context.lineTo(480, 640);
      context.fill();
    }
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  }, hue);
  return Buffer.from(base64, 'base64');
}

const cardOf = ({ name, description, greeting, tags }: Scene, avatar?: string) => ({
  spec: 'chara_card_v3',
  spec_version: '3.0',
  data: {
    name,
    description,
    personality: '',
    scenario: '',
    first_mes: greeting,
    mes_example: '',
    creator: 'orla',
    creator_notes: '',
    system_prompt: '',
    post_history_instructions: '',
    alternate_greetings: ['…'],
    group_only_greetings: [],
    tags,
    character_version: '1',
    extensions: {},
    ...(avatar ? { assets: [{ type: 'icon', name: 'main', uri: avatar, ext: 'png' }] } : {}),
  },
});

/** A shelf of cards in many scripts, with and without a picture, and what stands beside cards. */
export async function shelf(page: Page): Promise<Dropped[]> {
  const files: Dropped[] = [];
  for (const scene of SCENES) {
    const picture = scene.name === '미나' ? undefined : (await art(page, scene.hue)).toString('base64');
    files.push(json(`${scene.name}.json`, cardOf(scene, picture && `data:image/png;base64,${picture}`)));
  }
  const samples = [
    'sillytavern/sillytavern-regex.harbour.json',
    'sillytavern/sillytavern-preset.harbour.json',
    'rolecall/rolecall-persona.ida.png',
    'novelai/novelai-lorebook.harbour.lorebook',
    'risu/risu.mira.charx',
  ];
  return [...files, ...samples.map(sample)];
}

/** A lorebook with many entries. */
export const bigBook = (count: number): Dropped =>
  json('great-book.json', {
    name: 'Great book',
    entries: Object.fromEntries(
      Array.from({ length: count }, (_, uid) => [
        uid,
        {
          uid,
          key: [`word ${uid}`, `語${uid}`],
          keysecondary: [],
          comment: `Entry ${uid}`,
          content: `What people in the harbour say of number ${uid}. `.repeat(4),
          constant: uid % 50 === 0,
          selective: true,
          order: 100,
          position: uid % 5,
          disable: uid % 17 === 0,
          probability: 100,
          useProbability: true,
          depth: 4,
        },
      ]),
    ),
  });

/** Small cards without pictures. */
export const cards = (count: number, from = 0): Dropped[] =>
  Array.from({ length: count }, (_, index) => {
    const scene = SCENES[(from + index) % SCENES.length] as Scene;
    return json(`card-${from + index}.json`, cardOf({ ...scene, name: `${scene.name} ${from + index}` }));
  });

/** Fills the library. */
export async function libraryOf(page: Page, count: number): Promise<void> {
  for (let from = 0; from < count; from += 1_000) {
    await drop(page, cards(Math.min(1_000, count - from), from));
    await page.waitForTimeout(200);
    await page.locator('[data-intake="done"]').waitFor({ timeout: 300_000 });
  }
  await imported(page);
  await page.locator('[data-intake] header button').last().click();
}
