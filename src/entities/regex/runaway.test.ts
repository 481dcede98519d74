import { describe, expect, test } from 'vitest';
import { parsePattern } from './pattern.ts';
import { canRunAway, runawayWarnings } from './runaway.ts';

describe('patterns that can run away', () => {
  test.each([
    ['^(a+)+$'],
    ['(a*)*b'],
    ['^(\\w+\\s?)*$'],
    ['(.*)*x'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$'],
    ['(a|a)+$'],
    ['(a|ab|b)+$'],
    ['(\\w|\\d)+!'],
    ['(?:\\s*\\w*)+:'],
    ['"(?:[^"]+|\\\\.)*"'],
    ['(x+x+)+y'],
    ['(?=(a+)+$)'],
    ['((a{1,20}){1,20})+b'],
    ['(?:a?a?)*b'],
  ])('%s', (pattern) => expect(canRunAway(pattern)).toBe(true));
});

describe('ordinary patterns', () => {
  test.each([
    ['(a+b)+?'],
    ['\\s*\\n+'],
    ['(\\s*\\n)+'],
    ['.*'],
    ['\\[SAY\\|([^|\\]]*)\\|([\\s\\S]*?)\\]'],
    ['"(?:[^"\\\\]|\\\\.)*"'],
    ['(?:\\w+\\s)*end'],
    ['(?:(?!<\\/x>).)*<\\/x>'],
    ['(?<=\\*)[^*]+(?=\\*)'],
    ['(\\d{1,3}\\.){3}\\d'],
    ['^(?:[a-z]+-)+[a-z]+$'],
    ['(foo|bar|baz)+;'],
    ['<(update(?:variable)?)>\\s*((?:(?!<\\1>).)*)\\s*<\\/\\1>'],
    ['(a+)?b'],
    ['(a+){2}b'],
    ['((a+)b)*'],
    ['[+*(]+'],
    ['(unclosed+'],
    [''],
  ])('%s', (pattern) => expect(canRunAway(pattern)).toBe(false));

  test('a long alternation is looked at in no time', () => {
    const same = Array.from({ length: 400 }, (_, i) => `word${i.toString(36)}`).join('|');
    const different = Array.from({ length: 400 }, (_, i) => `${String.fromCodePoint(0x4e00 + i)}x`).join('|');
    const deep = '('.repeat(9000) + ')'.repeat(9000);
    const start = performance.now();
    for (const body of [same, different, `${'a?'.repeat(1900)}`, deep]) canRunAway(`^(?:${body})+$`);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test('letter case counts as the flags say', () => {
    expect(canRunAway('(?:a|A)+$', 'i')).toBe(true);
    expect(canRunAway('(?:a|A)+$')).toBe(false);
  });

  test('a dot takes line breaks only with the flag s', () => {
    expect(canRunAway('(?:.*\\n)*$')).toBe(false);
    expect(canRunAway('(?:.*\\n)*$', 's')).toBe(true);
  });

  test('a pattern that is not understood is no danger that we know of', () => {
    expect(parsePattern('a)')).toBeUndefined();
    expect(parsePattern('[a')).toBeUndefined();
    expect(parsePattern('a\\')).toBeUndefined();
  });

  test('the rule is named by its place', () => {
    const rule = { id: '1', replace: '', phases: [], enabled: true };
    const body = {
      name: '',
      rules: [
        { ...rule, find: 'a+' },
        { ...rule, find: '(a+)+$' },
      ],
    };
    expect(runawayWarnings(body).map(({ code, path }) => [code, path])).toEqual([['regex.run-away', 'rules[1].find']]);
  });
});
