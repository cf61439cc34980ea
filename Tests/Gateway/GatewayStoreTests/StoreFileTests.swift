import Foundation
import GRDB
import Testing

@testable import GatewayCore
@testable import GatewayStore

@Suite struct StoreFileTests {
    private func code(_ path: String) -> StoreError.Code? {
        do throws(StoreError) {
            try GatewayStore(path: path).close()
            return nil
        } catch {
            #expect(error.detail.contains(path))
            return error.code
        }
    }

    @Test func `the file and what lies beside it are for their owner alone`() throws {
        try withStoreFile { path in
            try Data().write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            let store = try GatewayStore(path: path)
            defer { store.close() }
            var scenario = try StoredScenario()
            try scenario.keep(in: store)
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.contains("gateway.sqlite-wal"))
            for name in names {
                let facts = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
                #expect(facts[.posixPermissions] as? Int == 0o600, "\(name)")
            }
        }
    }

    @Test func `a second gateway is refused, and the file is free when the first one ends`() throws {
        try withStoreFile { path in
            let store = try GatewayStore(path: path)
            #expect(code(path) == .taken)
            store.close()
            #expect(code(path) == nil)
        }
    }

    @Test func `a file that is no database is refused and left as it is`() throws {
        try withStoreFile { path in
            let text = Data(String(repeating: "dear diary, today I ", count: 500).utf8)
            try text.write(to: URL(fileURLWithPath: path))
            #expect(code(path) == .foreign)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text)
        }
    }

    @Test func `the database of another program is refused and left as it is`() throws {
        try withStoreFile { path in
            let other = try DatabaseQueue(path: path)
            try other.write { try $0.execute(sql: "CREATE TABLE song (title TEXT)") }
            try other.close()
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(code(path) == .foreign)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        }
    }

    @Test func `a file of a newer version is refused and left as it is`() throws {
        try withStoreFile { path in
            try GatewayStore(path: path).close()
            let newer = try DatabaseQueue(path: path)
            try newer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 99") }
            try newer.close()
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(code(path) == .newer)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        }
    }

    @Test func `a file of version 1, which has other keys, is read`() throws {
        try withStoreFile { path in
            let store = try GatewayStore(path: path)
            var scenario = try StoredScenario()
            scenario.push(to: "ab12")
            _ = try scenario.world.add(
                FaultRule(.lose, match: .init(headers: [HeaderCondition(.id, .present)])), real: 0)
            try scenario.keep(in: store)
            let picture = try StoredScenario.picture(of: StoredScenario.restored(store))
            try store.writing { database in
                try database.execute(
                    sql: """
                        UPDATE device SET document = replace(document, '"connection":', '"link":');
                        UPDATE world SET document = replace(
                            replace(document, '"requirement":', '"wish":'), '"unknownDevices":', '"deviceRegistration":');
                        PRAGMA user_version = 1;
                        """)
            }
            store.close()
            let next = try GatewayStore(path: path)
            defer { next.close() }
            #expect(try StoredScenario.picture(of: StoredScenario.restored(next)) == picture)
            try next.writing { database in
                let device = try #require(try String.fetchOne(database, sql: "SELECT document FROM device"))
                #expect(device.contains(#""connection":"#))
            }
        }
    }

    @Test func `a damaged file is refused and left as it is`() throws {
        try withStoreFile { path in
            let store = try GatewayStore(path: path)
            var scenario = try StoredScenario()
            for number in 0..<200 { scenario.push(to: "ab12", "\(number)") }
            try scenario.keep(in: store)
            store.close()
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            for page in 3..<(bytes.count / 4096) {
                bytes.replaceSubrange(page * 4096..<page * 4096 + 64, with: Data(repeating: 0xff, count: 64))
            }
            try bytes.write(to: URL(fileURLWithPath: path))
            #expect(code(path) == .damaged)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        }
    }

    @Test(arguments: [
        "DROP TABLE life", "ALTER TABLE delivery RENAME COLUMN document TO other", "DROP TABLE probe",
        "DELETE FROM world",
    ])
    func `a file without something that belongs to it is damaged, and left as it is`(sql: String) throws {
        try withStoreFile { path in
            let store = try GatewayStore(path: path)
            var scenario = try StoredScenario()
            scenario.push(to: "ab12")
            try scenario.keep(in: store)
            store.close()
            #expect(code(path) == nil)
            let database = try DatabaseQueue(path: path)
            try database.writeWithoutTransaction { try $0.execute(sql: sql) }
            try database.close()
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(code(path) == .damaged)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        }
    }

    @Test func `a row that cannot be read is damage`() throws {
        try withStore { store in
            var scenario = try StoredScenario()
            scenario.push(to: "ab12")
            try scenario.keep(in: store)
            try store.writing { try $0.execute(sql: "UPDATE entry SET document = '{\"received\":'") }
            let error = #expect(throws: StoreError.self) { try store.load("default") }
            #expect(error?.code == .damaged)
        }
    }

    @Test func `a folder, and a file in a folder that is not there, are refused`() throws {
        try withStoreFile { path in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            #expect(code(folder) == .unusable)
            #expect(code(folder + "/none/gateway.sqlite") == .unusable)
        }
    }

    @Test func `an empty file becomes a store`() throws {
        try withStoreFile { path in
            try Data().write(to: URL(fileURLWithPath: path))
            #expect(code(path) == nil)
        }
    }

    @Test func `on a full disk nothing of a change is written, and all of the next one when there is space`() throws {
        try withStore { store in
            var scenario = try StoredScenario()
            try scenario.keep(in: store)
            try store.limitGrowth(toPages: 4)
            for _ in 0..<200 { scenario.push(to: "ab12", String(repeating: "x", count: 500)) }
            let error = #expect(throws: StoreError.self) { try scenario.keep(in: store) }
            #expect(error?.code == .full)
            #expect(throws: StoreError.self) { try store.probe() }
            var restored = StoredScenario(try StoredScenario.restored(store))
            #expect(restored.world.journalCount == 0)
            try store.limitGrowth(toPages: nil)
            try store.probe()
            restored.push(to: "ab12")
            try restored.keep(in: store)
            #expect(try StoredScenario.restored(store).journalCount == 1)
        }
    }
}
