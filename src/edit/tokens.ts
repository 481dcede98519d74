import type { AnyEntity } from '../entities/kinds.ts';

/** When a text is in the prompt: in every turn, when its keys fire, or at the start of a chat until it scrolls away. */
export type TokenTime = 'always' | 'triggered' | 'opening';

/** The tokens of one text. */
export interface TokenRow {
  readonly entity: string;
  readonly path: string;
  readonly tokens: number;
  readonly time: TokenTime;
}

/** Tokens per text and in sum. As exact as the counter is. */
export interface TokenCount {
  readonly rows: readonly TokenRow[];
  readonly sums: Readonly<Record<TokenTime, number>>;
}

/** Counts the tokens of every text that goes into a prompt; texts that no prompt holds (notes, tags) do not count. */
export function countTokens(entities: readonly AnyEntity[], count: (text: string) => number): TokenCount {
  const rows = entities.flatMap((entity) =>
    textsOf(entity).flatMap(([path, text, time]): TokenRow[] =>
      text ? [{ entity: entity.id, path, tokens: count(text), time }] : [],
    ),
  );
  const sum = (time: TokenTime) => rows.reduce((total, row) => total + (row.time === time ? row.tokens : 0), 0);
  return { rows, sums: { always: sum('always'), triggered: sum('triggered'), opening: sum('opening') } };
}

type Text = readonly [path: string, text: string | undefined, time: TokenTime];

function textsOf(entity: AnyEntity): Text[] {
  switch (entity.kind) {
    case 'character': {
      const { identity, persona, prompts, greetings, examples } = entity.body;
      return [
        ['identity.description', identity.description, 'always'],
        ['persona.personality', persona.personality, 'always'],
        ['persona.scenario', persona.scenario, 'always'],
        ['prompts.systemPrompt', prompts.systemPrompt, 'always'],
        ['prompts.postHistoryInstructions', prompts.postHistoryInstructions, 'always'],
        ...(prompts.depthInjections ?? []).map(
          ({ text, enabled }, at): Text => [
            `prompts.depthInjections[${at}].text`,
            enabled === false ? undefined : text,
            'always',
          ],
        ),
        ['greetings.firstMessage', greetings.firstMessage, 'opening'],
        ...(greetings.alternateGreetings ?? []).map(
          ({ text }, at): Text => [`greetings.alternateGreetings[${at}].text`, text, 'opening'],
        ),
        ['examples.exampleMessages', examples.exampleMessages, 'opening'],
      ];
    }
    case 'lorebook':
      return entity.body.entries.map(({ content, enabled, constant }, at) => [
        `entries[${at}].content`,
        enabled ? content : undefined,
        constant ? 'always' : 'triggered',
      ]);
    case 'persona':
      return [['content', entity.body.content, 'always']];
    case 'preset':
      return entity.body.prompts.map(({ content, enabled }, at) => [
        `prompts[${at}].content`,
        enabled ? content : undefined,
        'always',
      ]);
    case 'regex':
      return [];
  }
}
