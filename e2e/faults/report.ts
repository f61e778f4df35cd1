import { quantile } from '../proof/quantile.ts';
import { table } from '../proof/table.ts';
import type { RunResult } from './run.ts';

/** Faults by kind: how many, how long, and when nine of ten devices got acks again. */
export function describeFaults({ faults }: RunResult): string {
  const rows = [...Map.groupBy(faults, ({ kinds }) => kinds.join(' + '))].map(([kind, records]) => {
    const recovered = records.map(({ recoveredMs }) => recoveredMs ?? Number.POSITIVE_INFINITY);
    return [
      kind,
      String(records.length),
      seconds(
        quantile(
          records.map(({ tookMs }) => tookMs),
          0.5,
        ),
      ),
      seconds(quantile(recovered, 0.5)),
      seconds(Math.max(...recovered)),
    ];
  });
  return table([['fault', 'times', 'lasted (median)', 'acked again after', 'at worst'], ...rows]);
}

export function describeFigures(result: RunResult): string {
  const { recorder, cuts, loadSeconds, darkMs, faults } = result;
  const { latencies, sendFrames, ackedCount } = recorder;
  const refusals = [...recorder.refusals].map(([code, count]) => `${code} ${count}`).join(', ');
  return [
    `${ackedCount} messages acknowledged and ${faults.length} faults in ${loadSeconds.toFixed(0)} s; ${sendFrames} sends on the wire, ${cuts} connections cut; refused for the moment: ${refusals || 'none'}`,
    `commit to receipt without faults, over a network that adds 0 to 30 ms: p50 ${quantile(latencies, 0.5)} ms, p99 ${quantile(latencies, 0.99)} ms of ${latencies.length}`,
    `without NATS, from the last ack to the last receipt: ${darkMs === null ? 'never' : `${darkMs} ms`}`,
  ].join('\n');
}

function seconds(ms: number): string {
  return Number.isFinite(ms) ? `${(ms / 1_000).toFixed(1)} s` : '> 15 s';
}
