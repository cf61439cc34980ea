import APNSModel
import APNSProvider
import GatewayTesting
import Testing

/// A test author's snapshots.
@Suite(.timeLimit(.minutes(10)))
struct SnapshotTests {
    @Test func `everything is as it was when the snapshot was made, as often as wanted`() async throws {
        try await withGateway(device: "ab12", clock: .manual()) { gateway in
            let first = try gateway.notification(to: "ab12", payload: #"{"aps":{"content-available":1}}"#)
            #expect(try await gateway.provider.send(first).isAccepted)
            let before = gateway.snapshot()
            let time = gateway.now
            for _ in 0..<2 {
                gateway.advance(by: .seconds(60))
                try gateway.register(device: "cd34")
                try gateway.uninstall(device: "ab12")
                let refused = try await gateway.provider.send(
                    gateway.notification(to: "ab12", payload: #"{"aps":{"content-available":1}}"#))
                #expect(!refused.isAccepted)
                gateway.restore(before)
                #expect(gateway.now == time)
                #expect(gateway.notifications().count == 1)
                #expect(gateway.deliveries(to: "ab12").count == 1)
                #expect(gateway.deliveries(to: "cd34").isEmpty)
            }
            // The device is still connected.
            let last = try gateway.notification(to: "ab12", payload: #"{"aps":{"content-available":1}}"#)
            #expect(try await gateway.provider.send(last).isAccepted)
            #expect(gateway.deliveries(to: "ab12").count == 2)
        }
    }

    @Test func `a state goes from one gateway to another as a file`() async throws {
        var file: [UInt8] = []
        try await withGateway(device: "ab12") { gateway in
            let notification = try gateway.notification(to: "ab12", payload: #"{"aps":{"content-available":1}}"#)
            #expect(try await gateway.provider.send(notification).isAccepted)
            file = gateway.export()
        }
        try await withGateway { gateway in
            try gateway.restore(file: file)
            #expect(gateway.notifications().count == 1)
            #expect(gateway.deliveries(to: "ab12").count == 1)
            let error = #expect(throws: TestGatewayError.self) { try gateway.restore(file: Array("{".utf8)) }
            #expect(error?.description.contains("JSON") == true)
        }
    }
}
