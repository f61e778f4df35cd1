/**
 * The version of the wire protocol. Raise it when a change to a frame or a call would break older pages. Raise the floor
 * only when such pages must be refused. One line per version:
 *   1  the first.
 */
export const PROTOCOL_VERSION = 1;
export const PROTOCOL_FLOOR = 1;
