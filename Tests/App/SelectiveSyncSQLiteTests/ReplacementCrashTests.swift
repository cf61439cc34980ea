#if os(Linux)
    import Foundation
    import SelectiveSync
    import SelectiveSyncSQLite
    import TestSeeds
    import Testing

    /// A replacement of a damaged store is killed at calls that change a file, instead of the call and in the middle of
    /// it: at every eighth one, or at each where `APNS_EACH` is set.
    struct ReplacementCrashTests {
        @Test(arguments: ["kill", "tear"])
        func `a replacement that is killed at any step is finished or started again, and loses no edit`(
            how: String
        ) async throws {
            let damaged = try await DamagedStore()
            try damaged.overwrite(at: 0, with: [UInt8](repeating: 0xa5, count: 100))
            var kills = 0
            for number in TestSeed.each(1..., oneIn: 8) {
                try #require(number < 1_000)
                let folder = try TemporaryFolder()
                let file = folder.file("store")
                try FileManager.default.copyItem(atPath: damaged.file, toPath: file)
                let (lines, status) = try await CrashWriter(["replace", file, how, String(number)]).run()
                let isKilled = status & 0x7f == SIGKILL
                if isKilled { kills += 1 }
                #expect(isKilled || status == 0, "\(how) \(number): \(status) \(lines)")
                let (store, _) = try SQLiteStore.openOrReplace(file: file)
                #expect(try await store.dirtyRecords(of: "Account").count == DamagedStore.edits, "\(how) \(number)")
                #expect(try await store.user() == "user", "\(how) \(number)")
                #expect(try await store.objectsToSync() == ["Account", "Case"], "\(how) \(number)")
                // The damaged file is kept once, and no intermediate file is left.
                #expect(SQLiteStore.damagedFiles(of: file) == [file + "-aside-1"], "\(how) \(number)")
                #expect(!FileManager.default.fileExists(atPath: file + "-new"), "\(how) \(number)")
                #expect(!FileManager.default.fileExists(atPath: file + "-repair"), "\(how) \(number)")
                try await damaged.expectSound(store)
                if let calls = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }), calls < number
                {
                    break
                }
            }
            // The replacement makes more than 50 calls.
            #expect(kills > (TestSeed.isEach ? 50 : 6))
        }
    }
#endif
