/** For image processes that must end by themselves: a busy machine may start one late. */
export const PATIENT_MS = 120_000;
export const patient = { wallMs: PATIENT_MS };
