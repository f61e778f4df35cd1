import { expect, test } from 'vitest';
import { addressKey } from '../src/http/client.ts';

test('an IPv4 address is its own key in every notation', () => {
  expect(addressKey('192.0.2.7')).toBe('192.0.2.7');
  expect(addressKey('::ffff:192.0.2.7')).toBe('192.0.2.7');
});

test('[DEVICE-18] IPv6 addresses of one /64 count together, those of another do not', () => {
  const key = addressKey('2001:db8:1:2::1');
  expect(key).toBe('2001:db8:1:2::/64');
  expect(addressKey('2001:0db8:0001:0002:ffff:ffff:ffff:ffff')).toBe(key);
  expect(addressKey('2001:db8:1:2:a::192.0.2.1')).toBe(key);
  expect(addressKey('2001:db8:1:3::1')).not.toBe(key);
  expect(addressKey('::1')).toBe('0:0:0:0::/64');
  expect(addressKey('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  expect(addressKey('1::')).toBe('1:0:0:0::/64');
});
