import APNSModel
import APNSProvider
import DevelopmentCredentials
import Foundation
import GatewayConfiguration
import GatewayCore
import GatewayServer
import GatewayTestSupport
import GatewayTesting
import HTTP2Session
import ProviderToken
import TLSSession
import Testing

@Suite(.timeLimit(.minutes(10)))
struct GatewayServerTests {
    private static func configuration(_ change: (inout GatewayConfiguration) throws -> Void = { _ in }) throws
        -> GatewayConfiguration
    {
        var configuration = GatewayConfiguration()
        configuration.port = 0
        configuration.controlPort = 0
        configuration.credentials = .given(try DevelopmentCredentials.make())
        try change(&configuration)
        return configuration
    }

    /// What keeps a gateway from starting.
    private static func fault(_ configuration: GatewayConfiguration) async throws -> GatewayError? {
        do throws(GatewayError) {
            let gateway = try await GatewayServer(configuration).start()
            await gateway.shutdown()
            return nil
        } catch {
            return error
        }
    }

    @Test func `two gateways at once keep apart`() async throws {
        try await withGateway(device: "ab12") { first in
            try await withGateway(device: "cd34") { second in
                #expect(first.url != second.url)
                let accepted = try await first.push(to: "ab12").isAccepted
                #expect(accepted)
                let reason = try await second.push(to: "ab12").reason
                #expect(reason == .badDeviceToken)
                #expect(first.notifications().count == 1)
                #expect(second.notifications().map(\.isAccepted) == [false])
            }
        }
    }

    @Test func `a taken port is named with what to do`() async throws {
        try await withGateway { gateway in
            let port = gateway.running.port
            let fault = try await Self.fault(Self.configuration { $0.port = port })
            #expect(fault?.code == .portTaken)
            #expect(fault?.detail.contains("port \(port) on 127.0.0.1 is in use") == true)
            #expect(fault?.detail.contains("--port 0 takes a free one") == true)
            let control = gateway.running.controlPort
            let other = try await Self.fault(Self.configuration { $0.controlPort = control })
            #expect(other?.code == .portTaken)
            #expect(other?.detail.contains("--control-port 0 takes a free one") == true)
        }
    }

    @Test func `other machines are let in only with a control token`() async throws {
        let fault = try await Self.fault(Self.configuration { $0.host = "0.0.0.0" })
        #expect(fault?.code == .badConfiguration)
        #expect(fault?.detail.contains("--control-token") == true)
        let short = try await Self.fault(Self.configuration { $0.controlToken = "short" })
        #expect(short?.code == .badConfiguration)
        let foreign = try await Self.fault(
            Self.configuration {
                $0.host = "192.0.2.1"
                $0.controlToken = "0123456789abcdef"
            })
        #expect(foreign?.code == .cannotBind)
    }

    @Test func `a run ends in order when it is cancelled`() async throws {
        let configuration = try Self.configuration()
        let (urls, ready) = AsyncStream.makeStream(of: String.self)
        let run = Task { try await GatewayServer(configuration).run { ready.yield($0.readyLine) } }
        var iterator = urls.makeAsyncIterator()
        let line = try #require(await iterator.next())
        #expect(line.hasPrefix(#"{"event":"ready","gateway":"https://127.0.0.1:"#))
        run.cancel()
        try await run.value
    }

    @Test func `any key is accepted if the configuration says so, and shown as unverified`() async throws {
        let configuration = try Self.configuration { $0.acceptsAnyKey = true }
        let gateway = try await GatewayServer(configuration).start()
        let keyID = try #require(KeyID("ABC123DEFG"))
        let teamID = try #require(TeamID("ABCDE12345"))
        let provider = try PushProvider(
            ProviderConfiguration(
                gateway: APNSGateway(host: "127.0.0.1", port: gateway.port),
                credentials: .token(key: try SigningKey.generate(), keyID: keyID, teamID: teamID),
                trust: .authorities(pem: gateway.credentials.caPEM)))
        let token = try #require(DeviceToken("ab12"))
        let topic = try #require(Topic("com.example.anything"))
        let reply = try await provider.send(
            APNSNotification(
                to: token, topic: topic, pushType: .background, priority: .powerConsiderate,
                payload: Array(silent.utf8)))
        #expect(reply.isAccepted)
        let isVerified = gateway.read { $0.notifications().entries.first?.isVerified }
        #expect(isVerified == false)
        await provider.close()
        await gateway.shutdown()
    }

    @Test func `a silent connection gets IdleTimeout`() async throws {
        let configuration = try Self.configuration { $0.idleTimeout = 1 }
        let gateway = try await GatewayServer(configuration).start()
        let sender = try await RawSender(port: gateway.port, caPEM: gateway.credentials.caPEM)
        let events = await sender.observed.reduce(into: []) { $0.append($1) }
        #expect(events.contains(.goAway(lastStreamID: 0, .noError, #"{"reason":"IdleTimeout"}"#)))
        #expect(events.last == .disconnected)
        await gateway.shutdown()
    }

    @Test func `advancing a manual clock ends connections that are silent for too long`() async throws {
        let configuration = try Self.configuration {
            $0.idleTimeout = 600_000
            $0.clock = .manual(at: 1_800_000_000_000)
        }
        let gateway = try await GatewayServer(configuration).start()
        let sender = try await RawSender(port: gateway.port, caPEM: gateway.credentials.caPEM)
        var events: [RawSender.Observed] = []
        var answers = 0
        for await event in sender.observed {
            events.append(event)
            switch event {
            case .settings where answers == 0: try await sender.ping()
            case .pingAcknowledged:
                answers += 1
                // The second answer says that the gateway has read all that this client says by itself.
                if answers == 1 { try await sender.ping() } else { gateway.advanceClock(by: 600_000) }
            default: break
            }
        }
        #expect(events.contains(.goAway(lastStreamID: 0, .noError, #"{"reason":"IdleTimeout"}"#)))
        #expect(events.last == .disconnected)
        await gateway.shutdown()
    }

    @Test func `an expired server certificate is reported with the command that renews it`() async throws {
        let old = try DevelopmentCredentials.make(at: 1_000_000_000)
        let fault = try await Self.fault(Self.configuration { $0.credentials = .given(old) })
        #expect(fault?.code == .expiredCredentials)
        #expect(fault?.detail.contains("apns credentials --force") == true)
    }
}
