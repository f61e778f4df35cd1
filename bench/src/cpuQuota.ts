import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';

/** Short, so that a process that used its share waits only for milliseconds. */
const PERIOD_US = 10_000;
const V1 = '/sys/fs/cgroup/cpu';
const V2 = '/sys/fs/cgroup';

/** Each of these processes gets at most this share of one core, until it ends. Needs root and cgroups. */
export function limitCpu(pids: readonly number[], share: number): { remove(): void } {
  const quota = Math.round(share * PERIOD_US);
  const groups = pids.map((pid) => {
    const isV1 = existsSync(`${V1}/cpu.cfs_quota_us`);
    const group = `${isV1 ? V1 : V2}/settee-bench-${pid}`;
    mkdirSync(group);
    if (isV1) {
      writeFileSync(`${group}/cpu.cfs_period_us`, String(PERIOD_US));
      writeFileSync(`${group}/cpu.cfs_quota_us`, String(quota));
    } else writeFileSync(`${group}/cpu.max`, `${quota} ${PERIOD_US}`);
    writeFileSync(`${group}/cgroup.procs`, String(pid));
    return group;
  });
  return {
    /** Only after the processes have ended. */
    remove() {
      for (const group of groups) rmdirSync(group);
    },
  };
}
