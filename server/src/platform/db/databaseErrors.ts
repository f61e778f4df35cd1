import pg from 'pg';
import { STANDBY } from './primaryClient.ts';

const UNIQUE_VIOLATION = '23505';

/** The violated unique index; undefined for other errors. */
export function violatedIndex(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== UNIQUE_VIOLATION) return undefined;
  return error.constraint ?? '';
}

/** Explains a failed connection and its remedy; undefined for other errors. */
export function explainUnreachable(code: string, host: string): [says: string, remedy: string] | undefined {
  switch (code) {
    case '28P01':
    case '28000':
      return [`${host} refuses the user or the password`, 'Set the correct ones in DATABASE_URL.'];
    case '42501':
      return [
        `${host} does not let this user use our tables`,
        'Run settee migrate with DATABASE_OWNER_URL: it grants the user of DATABASE_URL what it needs.',
      ];
    case '3D000':
      return [
        `${host} has no such database`,
        'Create it (create database …), or set another one in DATABASE_URL.',
      ];
    case STANDBY:
      return [
        `${host} is a standby`,
        'Set DATABASE_URL to the primary, or to a load balancer that finds it. After a failover, wait until it has found the new primary.',
      ];
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case '57P03':
      return [
        `${host} does not answer (${code})`,
        'Check that PostgreSQL is running, that host and port in DATABASE_URL are correct, and that no firewall blocks them.',
      ];
    default:
      return undefined;
  }
}
