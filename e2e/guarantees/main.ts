// Guarantees at full size: messages arrive, pages resume, invites bind once, sockets close; a restore loses nothing.
import { parseArgs } from 'node:util';
import { fullSize } from '../../tools/fullSize.ts';
import { Suite } from '../proof/suite.ts';
import { comeBack } from './absence.ts';
import { claimDuringFailovers, claimInvites } from './claims.ts';
import { closeDuringFailover, closeSockets } from './closing.ts';
import { receive } from './receipt.ts';
import { recover } from './recovery.ts';
import { setRegion } from './regionStage.ts';
import { Report } from './report.ts';
import { INSTANCE, type Stage, setStage } from './stage.ts';

const parts: Record<string, { what: string; run(report: Report): Promise<void> }> = {
  G4: { what: 'a connected person gets each message', run: onStage(receive) },
  G5: { what: 'resume after any absence', run: onStage(comeBack) },
  G6: { what: 'an invite binds once', run: onStage(claimInvites) },
  G8: { what: 'revoke, block, sign-out and demotion close live sockets', run: onStage(closeSockets) },
  G10: { what: 'a restore loses nothing acknowledged', run: recover },
  ...fullSize({}, { region: { what: 'claims and closed sockets while Patroni fails over', run: inRegion } }),
};

const { values } = parseArgs({
  options: { only: { type: 'string' }, keep: { type: 'boolean', default: false } },
});

const suite = new Suite();
/** All parts use it, because its start takes longer than some of them. */
let shared: Stage | undefined;

async function main(): Promise<void> {
  const names = values.only?.split(',') ?? Object.keys(parts);
  const report = new Report(suite);
  for (const name of names) {
    const part = parts[name];
    if (part === undefined)
      throw new Error(`There is no part ${name}. There are: ${Object.keys(parts).join(', ')}`);
    await report.part(`${name}: ${part.what}`, part.run);
  }
  await shared?.close();
}

/** In the region, a failover takes half a minute. */
async function inRegion(report: Report): Promise<void> {
  const region = await setRegion();
  suite.onLeave(region.close);
  await claimDuringFailovers(region, report, 2);
  await closeDuringFailover(region, report);
  report.check('no gateway ended', region.unexpectedEnds());
}

function onStage(run: (stage: Stage, report: Report) => Promise<void>) {
  return async (report: Report): Promise<void> => {
    shared ??= await setStage(values.keep);
    await run(shared, report);
    report.check('no gateway ended', shared.unexpectedEnds());
  };
}

await suite.run(main, { instances: [INSTANCE], keep: values.keep });
