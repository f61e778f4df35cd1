// What network policies allow, by the rules of Kubernetes. A part of their syntax that is not known here is an error.
import { BlockList, isIPv6 } from 'node:net';

type Labels = Record<string, string>;
type Selector = { matchLabels?: Labels };
type Peer = {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
};
type Port = { port: number | string; protocol: string };
type Rule = { ports?: Port[]; from?: Peer[]; to?: Peer[] };
export type Policy = {
  metadata: { namespace: string };
  spec: { podSelector: Selector; policyTypes: string[]; ingress?: Rule[]; egress?: Rule[] };
};

/** A pod, or an address outside the cluster. */
export type Host = {
  ip: string;
  pod?: { namespace: string; labels: Labels; ports?: Record<string, number> };
};
export type Target = { host: Host; port: number; protocol?: 'TCP' | 'UDP' };

export function reaches(policies: Policy[], from: Host, { host, port, protocol = 'TCP' }: Target): boolean {
  const allows = (type: 'Egress' | 'Ingress', own: Host, other: Host): boolean => {
    const selecting = policies.filter(
      ({ metadata, spec }) =>
        own.pod?.namespace === metadata.namespace &&
        spec.policyTypes.includes(type) &&
        selects(spec.podSelector, own.pod.labels),
    );
    // A pod that no policy selects is open.
    if (selecting.length === 0) return true;
    return selecting.some(({ metadata, spec }) =>
      ((type === 'Egress' ? spec.egress : spec.ingress) ?? []).some((rule) => {
        only(rule, ['ports', 'from', 'to']);
        const peers = type === 'Egress' ? rule.to : rule.from;
        const isPort = (each: Port): boolean => {
          only(each, ['port', 'protocol']);
          const number = typeof each.port === 'string' ? host.pod?.ports?.[each.port] : each.port;
          return number === port && each.protocol === protocol;
        };
        return (
          (rule.ports === undefined || rule.ports.some(isPort)) &&
          (peers === undefined || peers.some((peer) => isPeer(peer, other, metadata.namespace)))
        );
      }),
    );
  };
  return allows('Egress', from, host) && allows('Ingress', host, from);
}

function isPeer(peer: Peer, { ip, pod }: Host, namespace: string): boolean {
  only(peer, ['podSelector', 'namespaceSelector', 'ipBlock']);
  const { podSelector, namespaceSelector, ipBlock } = peer;
  if (ipBlock !== undefined)
    return isIn(ipBlock.cidr, ip) && !(ipBlock.except ?? []).some((each) => isIn(each, ip));
  if (pod === undefined) return false;
  const isNamespace =
    namespaceSelector === undefined
      ? pod.namespace === namespace
      : selects(namespaceSelector, { 'kubernetes.io/metadata.name': pod.namespace });
  return isNamespace && selects(podSelector ?? {}, pod.labels);
}

function selects(selector: Selector, labels: Labels): boolean {
  only(selector, ['matchLabels']);
  return Object.entries(selector.matchLabels ?? {}).every(([name, value]) => labels[name] === value);
}

function isIn(range: string, ip: string): boolean {
  const [network = '', bits] = range.split('/');
  const family = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');
  if (family(network) !== family(ip)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family(network));
  return list.check(ip, family(ip));
}

function only(value: object, keys: string[]): void {
  const unknown = Object.keys(value).filter((key) => !keys.includes(key));
  if (unknown.length > 0) throw new Error(`Unknown in a network policy: ${unknown.join(', ')}`);
}
