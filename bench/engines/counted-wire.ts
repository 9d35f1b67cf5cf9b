import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server of this machine that counts the bytes on it, both ways. */
export interface CountedWire {
  readonly port: number;
  /** Bytes from here to the server and back since the last time it was asked. */
  bytes(): { readonly sent: number; readonly received: number };
  close(): void;
}

export const countedWire = async (port: number): Promise<CountedWire> => {
  let [sent, received] = [0, 0];
  const open = new Set<Socket>();
  // What comes is passed on at once.
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port, host: '127.0.0.1', noDelay: true });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      open.add(one);
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.on('error', () => other.destroy());
    }
    near.on('data', (piece) => {
      sent += piece.length;
    });
    far.on('data', (piece) => {
      received += piece.length;
    });
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    bytes: () => {
      const counted = { sent, received };
      [sent, received] = [0, 0];
      return counted;
    },
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
};
