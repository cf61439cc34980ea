package import APNSModel
import APNSTransport
import HTTP2Session
import NIOCore
import TLSSession

/// What happened on a connection of a provider, for a command that shows it. It never contains the provider token.
package enum ExchangeEvent: Hashable, Sendable {
    case connecting(connection: Int, APNSGateway)
    case opened(connection: Int, Facts)
    case sent(connection: Int, stream: Int, Request)
    case received(connection: Int, stream: Int, Head)
    /// A part of an answer's body.
    case body(connection: Int, stream: Int, [UInt8])
    /// - Parameter reason: The gateway's debug data, usually JSON with a reason.
    case goAway(connection: Int, code: String, reason: [UInt8])
    case lost(connection: Int, String)

    /// What is known of a connection after the TLS handshake.
    package struct Facts: Hashable, Sendable {
        package var address: String
        /// Such as `TLSv1.3`.
        package var tlsVersion: String
        package var cipher: String
        /// The common name of the gateway's certificate, or its first other name.
        package var certificateName: String?
        /// Seconds since 1970-01-01 UTC.
        package var certificateEnd: Int64?
    }

    package struct Request: Hashable, Sendable {
        package var notification: APNSNotification
        package var apnsID: String
        /// Whether it has a provider token.
        package var isAuthorized: Bool
    }

    package struct Head: Hashable, Sendable {
        /// Names and values as received, pseudo fields first.
        package var fields: [Field]
    }

    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String
    }
}

extension ExchangeEvent {
    /// Reports the answers and the GOAWAY of a batch.
    static func report(
        _ batch: borrowing HTTP2EventBatch, connection: Int, to observer: (ExchangeEvent) -> Void
    ) {
        for event in batch.events {
            switch event {
            case .head(let stream, let range):
                var fields: [Field] = []
                batch.forEachField(range) { name, value in
                    fields.append(
                        Field(
                            name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
                }
                observer(.received(connection: connection, stream: Int(stream.id), Head(fields: fields)))
            case .body(let stream, let range):
                observer(.body(connection: connection, stream: Int(stream.id), Array(batch.bytes(range))))
            case .goAway(_, let code, let range):
                observer(.goAway(connection: connection, code: "\(code)", reason: Array(batch.bytes(range))))
            default: break
            }
        }
    }
}

extension ExchangeEvent.Facts {
    init(_ connection: Connection<ProviderConnectionDelegate>) {
        let certificate = connection.peerCertificate
        address = connection.remoteAddress.map { ExchangeEvent.Facts.text($0) } ?? "unknown"
        tlsVersion = connection.tlsVersion
        cipher = connection.tlsCipher
        certificateName = certificate?.commonName ?? certificate?.names.first
        certificateEnd = certificate?.notAfter
    }

    private static func text(_ address: SocketAddress) -> String {
        let host = address.ipAddress ?? "unknown"
        return "\(host.contains(":") ? "[\(host)]" : host):\(address.port ?? 0)"
    }
}
