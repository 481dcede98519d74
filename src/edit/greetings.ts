import type { CharacterBody, Greeting } from '../entities/character/schema.ts';

/** A character whose greetings stand in another order. */
export interface Reordered {
  readonly body: CharacterBody;
  /** The title of the greeting that became the first message, which has no title. Absent: it had none. */
  readonly lostTitle?: string;
}

/** All greetings of a character in order: the first message at 0, then the alternates. */
export const greetingsOf = ({ greetings }: CharacterBody): Greeting[] => [
  { text: greetings.firstMessage ?? '' },
  ...(greetings.alternateGreetings ?? []),
];

/**
 * Moves a greeting to another place; 0 is the first message. Titles and ids go with their text. A place outside the
 * list changes nothing.
 */
export function moveGreeting(body: CharacterBody, from: number, to: number): Reordered {
  const list = greetingsOf(body);
  const [moved] = list.splice(from, 1);
  if (!moved || from < 0 || to < 0 || to > list.length || from === to) return { body };
  list.splice(to, 0, moved);
  const [first, ...alternateGreetings] = list;
  return {
    body: { ...body, greetings: { ...body.greetings, firstMessage: first?.text ?? '', alternateGreetings } },
    ...(first?.title === undefined ? {} : { lostTitle: first.title }),
  };
}
