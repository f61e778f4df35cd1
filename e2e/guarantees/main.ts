// Guarantees at full size: messages arrive, pages resume, invites bind once, sockets close; a restore loses nothing.
import { parseArgs } from 'node:util';
import { Suite } from '../proof/suite.ts';
import { comeBack } from './absence.ts';
import { claimInvites } from './claims.ts';
import { closeSockets } from './closing.ts';
import { receive } from './receipt.ts';
import { Report } from './report.ts';
import { INSTANCE, type Stage, setStage } from './stage.ts';

const parts: Record<string, { what: string; run(stage: Stage, report: Report): Promise<void> }> = {
  G4: { what: 'a connected person gets each message', run: receive },
  G5: { what: 'resume after any absence', run: comeBack },
  G6: { what: 'an invite binds once', run: claimInvites },
  G8: { what: 'revoke, block, sign-out and demotion close live sockets', run: closeSockets },
};

const { values } = parseArgs({
  options: { only: { type: 'string' }, keep: { type: 'boolean', default: false } },
});

const suite = new Suite();

async function main(): Promise<void> {
  const names = values.only?.split(',') ?? Object.keys(parts);
  const report = new Report(suite);
  for (const name of names) {
    const part = parts[name];
    if (part === undefined)
      throw new Error(`There is no part ${name}. There are: ${Object.keys(parts).join(', ')}`);
    await report.part(`${name}: ${part.what}`, async () => {
      const stage = await setStage(values.keep);
      await part.run(stage, report);
      report.check(`${name}: no gateway ended`, stage.unexpectedEnds());
      await stage.close();
    });
  }
}

await suite.run(main, { instances: [INSTANCE], keep: values.keep });
