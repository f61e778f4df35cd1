import { type Findings, loadChecks, type Run, type Scenario, underLoad } from '../scenario.ts';
import { bringPeople, type Cells, startCells } from '../topology/cells.ts';
import { waitForRest } from '../world/load.ts';
import { PATIENCE_MS, until } from '../world/time.ts';

const FAST = 5;

/** Kills the first cell while people write in both. */
async function prove(place: Cells, run: Run): Promise<Findings> {
  const { cells } = place;
  /** How many messages the other cell acknowledges meanwhile. */
  const messages = run.size(100, 5_000);
  const [killed, other] = cells;
  const found: Record<'arrive' | 'dead' | 'alive' | 'back', string[]> = {
    ...{ arrive: [], dead: [], alive: [], back: [] },
  };
  const findings = await underLoad(run, {
    wanted: { sends: 2 * messages, faults: 0 },
    thinkMs: 400,
    async arrive(parts) {
      const size = { ...parts, desks: 2, chatsPerDesk: run.size(2, 10) };
      return [
        await bringPeople(place, killed, { ...size, prefix: 'killed', speed: FAST }),
        await bringPeople(place, other, { ...size, prefix: 'other', speed: 1 }),
      ];
    },
    async act({ crowds, recorder }) {
      const [victims, others] = crowds;
      if (victims === undefined || others === undefined) throw new Error('nobody came');
      for (const { devices, connections, desks } of crowds) {
        const pages = new Set(devices.map(({ name }) => name)).size;
        if (!(await until(() => connections.arrived() === pages)))
          found.arrive.push(`${connections.arrived()} of ${pages} pages connected`);
        if (!(await until(() => recorder.ackedOf(devices) >= messages / 2)))
          found.arrive.push(`messages do not flow at ${desks[0]?.alias}`);
      }
      run.log(`killing ${killed.tag}: its gateway, PostgreSQL and NATS`);
      await killed.kill();
      // An acknowledgement may still be on its way through the router. It arrives before the close.
      const pages = new Set(victims.devices.map(({ name }) => name)).size;
      await until(() => victims.connections.away().length === pages);
      const [ofKilled, ofOther] = crowds.map(({ devices }) => recorder.ackedOf(devices)) as [number, number];
      const meanwhile = (): number => recorder.ackedOf(others.devices) - ofOther;
      if (!(await until(() => meanwhile() >= messages)))
        found.alive.push(`only ${meanwhile()} messages were acknowledged meanwhile`);
      const { lostCount } = others.connections;
      if (lostCount > 0) found.alive.push(`${lostCount} sockets were closed`);
      if (recorder.ackedOf(victims.devices) !== ofKilled) found.dead.push('a message was acknowledged');
      run.report.figure(`${meanwhile()} messages were acknowledged while the other cell was dead`);
      await killed.start();
      if (!(await until(() => victims.connections.away().length === 0)))
        found.back.push(...victims.connections.away());
    },
    async afterRest([victims], recorder) {
      found.back.push(...(await waitForRest(victims?.devices ?? [], recorder, PATIENCE_MS)));
    },
  });
  found.back.push(...cells.flatMap(({ unexpectedEnds }) => unexpectedEnds));
  return { ...findings, ...found };
}

export const scenario: Scenario<Cells> = {
  what: 'one of two cells behind one address dies',
  topology: (run) => startCells(run.instance),
  prove,
  checks: {
    ...loadChecks,
    arrive: 'everyone reaches their cell through one address, and messages flow in both cells',
    dead: '[CELL-05] a killed cell acknowledges nothing',
    alive: '[CELL-05] the other cell keeps every connection and delivers messages meanwhile',
    back: '[CELL-05] when the killed cell is back, its pages connect by themselves and send what waited',
  },
};
