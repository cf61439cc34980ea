import Foundation
import GatewayConfiguration
import GatewayCore
import GatewayTestSupport
import Testing

@testable import GatewayRuntime

struct RecorderTests {
    @Test func `a record that another program has moved goes on in a new file, and that is logged`() async throws {
        try await withFolder { folder in
            let path = folder + "/record.ndjson"
            let log = LoggedLines()
            var configuration = GatewayConfiguration()
            configuration.log(to: log)
            let recorder = try Recorder(path: path, logger: configuration.logger)
            let world = try LiveWorld.inMemory()
            func record() throws {
                recorder.add(try #require(world.push()), of: .standard)
                recorder.flush()
            }
            try record()
            try record()
            #expect(log.all.isEmpty)
            try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
            try record()
            func lines(_ path: String) throws -> Int {
                try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count
            }
            #expect(try lines(path + ".old") == 2)
            #expect(try lines(path) == 1)
            #expect(log.all.count == 1)
            #expect(log.all.first?.contains("renamed or removed by another program") == true)
        }
    }
}
