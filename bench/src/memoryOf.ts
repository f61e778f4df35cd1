import { readFileSync } from 'node:fs';

/** A field of a file in /proc, such as VmRSS in the status of a process. NaN if there is none. */
export function kilobytes(file: string, field: string): number {
  try {
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(file, 'utf8'))?.[1]);
  } catch {
    return Number.NaN;
  }
}

/** Memory of a process (RSS). */
export function residentBytes(pid: number | undefined): number {
  return kilobytes(`/proc/${pid}/status`, 'VmRSS') * 1_024;
}
