import APNSTransport
import ArgumentParser
import DevelopmentCredentials
import Foundation
import GatewayServer
import NIOCore
import NIOPosix
import TLSSession

/// A server that accepts every request without checks: the reference that all senders are measured with.
@main
struct BareServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns-bare-server",
        abstract: "Accepts every notification without checks; a reference to measure senders with.",
        discussion: """
            One event loop. Prints `ready https://127.0.0.1:PORT` on stdout when the port is open, and runs until a signal.

            EXAMPLE: apns-bare-server --port 8443 --credentials certs/dev
            """)

    @Option(help: "The port to listen on at 127.0.0.1; 0 takes a free one.")
    var port = 8443
    @Option(help: "The folder with the development credentials; made when it does not exist.")
    var credentials = "certs/dev"
    @Option(help: "Streams that a connection may have open at once.")
    var streams: UInt32 = 1000

    func run() async throws {
        let identity = try DevelopmentCredentials.loadOrMake(in: credentials).server
        let tls = try TLSContext.server(identity: identity, clientTrust: nil, requestsClientCertificate: false)
        let streams = streams
        let channel = try await TransportServer.bind(
            host: "127.0.0.1", port: port, tls: tls, limits: BarePeer.limits, handshakeTimeout: .seconds(10),
            on: MultiThreadedEventLoopGroup(numberOfThreads: 1)
        ) { _ in BarePeer(streams: streams) }.get()
        FileHandle.standardOutput.write(Data("ready https://127.0.0.1:\(channel.localAddress?.port ?? port)\n".utf8))
        try await channel.closeFuture.get()
    }
}
