import { countOf, type Finding } from '../doctor/finding.ts';
import { systemClock } from '../platform/adapters/system.ts';
import { type Command, string } from './command.ts';

export const doctor: Command = {
  help: 'check the configuration and all services, and explain how to fix problems; exits with 1 on a failure',
  options: {
    offline: { type: 'boolean', help: 'skip checks that need a running gateway or the internet' },
    mail: { type: 'string', help: 'send a test message to this address' },
    strict: { type: 'boolean', help: 'also exit with 1 on a warning' },
    accept: { type: 'string', help: 'with --strict: subjects that may have warnings, separated by commas' },
    json: { type: 'boolean', help: 'print JSON' },
  },
  async run(values) {
    // Loaded on demand, to keep other commands fast.
    const [{ examine }, { probeNats }, { probeS3 }, { openMail }] = await Promise.all([
      import('../doctor/examine.ts'),
      import('../platform/adapters/nats.ts'),
      import('../media/s3Probe.adapter.ts'),
      import('../mail/smtp.adapter.ts'),
    ]);
    const found = await examine({
      offline: values.offline === true,
      mailTo: values.mail === undefined ? undefined : string(values, 'mail'),
      probes: {
        nats: probeNats,
        s3: (s3, origin) => probeS3(s3, origin, systemClock),
        mail: openMail,
      },
      clock: systemClock,
    });
    const accepted = string(values, 'accept').split(',');
    const isHealthy = found.every(
      ({ check, level }) =>
        level === 'ok' || (level === 'warning' && (values.strict !== true || accepted.includes(check))),
    );
    if (values.json === true) console.log(JSON.stringify({ healthy: isHealthy, findings: found }, null, 2));
    else console.log(asText(found));
    if (!isHealthy) process.exitCode = 1;
  },
};

function asText(found: readonly Finding[]): string {
  const width = Math.max(...found.map(({ check }) => check.length));
  const lines = found.map(({ check, level, says, remedy }) => {
    const line = `${level.padEnd(7)}  ${check.padEnd(width)}  ${says}`;
    return remedy === undefined ? line : `${line}\n${' '.repeat(width + 11)}→ ${remedy}`;
  });
  const count = (level: Finding['level']): number => found.filter((each) => each.level === level).length;
  lines.push(
    '',
    `${count('ok')} ok, ${countOf(count('warning'), 'warning')}, ${countOf(count('failure'), 'failure')}`,
  );
  return lines.join('\n');
}
