/** One find-and-replace rule. Data only: never run on reading, converting or writing. */
export interface RegexRule {
  id: string;
  label?: string;
  note?: string;
  /** Pattern without delimiters. */
  find: string;
  /** As written; absent: none. */
  flags?: string;
  /** The flags count; RisuAI switches them. */
  useFlags?: boolean;
  replace: string;
  /** Texts cut out of each match before it is put back. */
  trimStrings?: string[];
  /** Open set: input, output, display, request, slash, lorebook, reasoning, memory … */
  phases: string[];
  /** Where the result shows: prompt, response, display. Empty: the stored text changes. */
  targets?: string[];
  /** How macros in the pattern are filled in. */
  substituteFind?: 'none' | 'raw' | 'escaped' | 'after';
  /** Messages from the end; absent: no bound. */
  minDepth?: number;
  maxDepth?: number;
  runOnEdit?: boolean;
  characterIds?: string[];
  enabled: boolean;
  sortOrder?: number;
  /** Of the engine of this family only; no format writes them. */
  firstMatchOnly?: boolean;
  condition?: { ruleId: string; matched: boolean };
  overlay?: boolean;
  /** What a format keeps of its own beside the rule. */
  extras?: Record<string, unknown>;
}

/** A set of rules. */
export interface RegexBody {
  /** Empty where the format carries no name. */
  name: string;
  description?: string;
  /** Absent: on. */
  enabled?: boolean;
  rules: RegexRule[];
}

export const emptyRegex = (): RegexBody => ({ name: '', rules: [] });
export const emptyRule = (id: string): RegexRule => ({ id, find: '', replace: '', phases: [], enabled: true });
