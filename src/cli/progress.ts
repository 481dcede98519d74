/** The bar below a long run on a terminal. It lives on standard error and leaves nothing behind. */
import { grouped, lasting, type Tally } from './tally.ts';
import type { Side } from './terminal.ts';
import { cut } from './text.ts';

export interface Progress {
  /** Shows how far the run is. */
  at(tally: Tally): void;
  /** Prints something else above the bar. */
  above(print: () => void): void;
  stop(): void;
}

/** No bar: nobody is looking. */
export const NO_PROGRESS: Progress = { at: () => {}, above: (print) => print(), stop: () => {} };

const BAR_COLUMNS = 16;

/** How far a run is, in one line: files, rate, losses, failures, time that is left. */
export function progressLine(tally: Tally, total: number, seconds: number, columns: number): string {
  const { files, losses, failed } = tally;
  const share = total === 0 ? 1 : Math.min(1, files / total);
  const full = Math.round(share * BAR_COLUMNS);
  const rate = seconds > 0 ? files / seconds : 0;
  const left = rate > 0 && files < total ? [`${lasting(Math.ceil((total - files) / rate))} left`] : [];
  const facts = [
    `${grouped(files)} of ${grouped(total)}`,
    `${grouped(Math.round(rate))}/s`,
    ...(losses > 0 ? [`${grouped(losses)} lost`] : []),
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
    ...left,
  ];
  return cut(`${'█'.repeat(full)}${'░'.repeat(BAR_COLUMNS - full)} ${facts.join(' · ')}`, columns - 1);
}

/** A bar for so many files on a stream that is a terminal. */
export async function openProgress(
  side: Side,
  total: number,
  stream: NodeJS.WritableStream = process.stderr,
): Promise<Progress> {
  const { SingleBar } = await import('cli-progress');
  const start = Date.now();
  let tally: Tally | undefined;
  const format = () => (tally ? progressLine(tally, total, (Date.now() - start) / 1000, side.columns) : '');
  const bar = new SingleBar({
    format,
    stream,
    fps: 10,
    hideCursor: true,
    clearOnComplete: true,
    linewrap: null,
    gracefulExit: false,
  });
  bar.start(total, 0);
  return {
    at(now) {
      tally = now;
      bar.update(Math.min(total, now.files));
    },
    above(print) {
      stream.write('\r\u001b[2K');
      print();
    },
    stop: () => bar.stop(),
  };
}
