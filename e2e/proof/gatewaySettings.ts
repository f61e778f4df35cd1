/** For the gateways of all suites. A few people on one address send as much as thousands, so the limits are off. */
export const gatewaySettings = {
  LOG_LEVEL: 'fatal',
  SECURITY_LOG: 'off',
  WEB_ROOT: '/nowhere',
  CODES_PER_HOUR: '1000000',
  LIMIT_FACTOR: '1000',
  SEND_BURST: '100000',
  SEND_PER_SECOND: '100000',
};
