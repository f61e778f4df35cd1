/**
 * The wire's version. Raise it when a frame or a call changes so that an older page would misread it;
 * raise the floor only when such a page must be turned away. One line per bump:
 *   1  the first.
 */
export const PROTOCOL_VERSION = 1;
export const PROTOCOL_FLOOR = 1;
