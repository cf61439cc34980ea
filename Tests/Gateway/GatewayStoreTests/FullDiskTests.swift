import Testing

@testable import GatewayCore
@testable import GatewayStore

/// A file that cannot grow any more, at each page that a small scenario adds to it.
@Suite struct FullDiskTests {
    private typealias Step = @Sendable (inout StoredScenario) throws -> Void

    /// After each of them everything is written.
    private static let steps: [Step] = [newWorld, addFault, broadcast, emptyJournal] + (0..<12).map { pushes($0) }

    private static let newWorld: Step = { _ in }

    private static let addFault: Step = { scenario in
        _ = try scenario.world.add(FaultRule(.lose, count: 3), real: 0)
    }

    private static let broadcast: Step = { scenario in
        let channel = scenario.createChannel()
        scenario.broadcast(to: try #require(channel))
    }

    private static let emptyJournal: Step = { scenario in scenario.world.deleteNotifications() }

    private static func pushes(_ number: Int) -> Step {
        { scenario in
            let text = String(repeating: "x", count: 300 * number)
            scenario.push(to: StoredScenario.tokens[number % 3], text, collapseID: "same")
            scenario.push(to: StoredScenario.tokens[number % 6], text)
        }
    }

    @Test func `whichever page does not fit, the change is refused, and what was written before and later is there`()
        throws
    {
        var pages = 0
        while try FullDiskTests.refusals(pages) > 0 {
            pages += 1
            guard pages < 500 else { break }
        }
        // Many pages were tried, and in the end all of them fit.
        #expect((10..<500).contains(pages))
    }

    /// Runs the steps in a file that has room for so many pages, and for more after the first refusal.
    ///
    /// - Returns: How many changes were refused.
    private static func refusals(_ pages: Int) throws -> Int {
        var refusals = 0
        try withStoreFile { path in
            let store = try GatewayStore(path: path)
            try store.limitGrowth(toPages: pages)
            var scenario = try StoredScenario()
            var stored: [String] = []
            for step in steps {
                try step(&scenario)
                do {
                    try scenario.keep(in: store)
                } catch let error as StoreError {
                    refusals += 1
                    #expect(error.code == .full && error.detail.contains("\(path) cannot be written"), "\(error)")
                    #expect(try picture(store) == stored, "\(pages) pages")
                    try store.limitGrowth(toPages: nil)
                    // It goes on where the file is, as the gateway does.
                    scenario =
                        stored.isEmpty
                        ? try StoredScenario() : StoredScenario(try StoredScenario.restored(store))
                    try step(&scenario)
                    try scenario.keep(in: store)
                }
                stored = try StoredScenario.picture(of: scenario.world)
            }
            store.close()
            let again = try GatewayStore(path: path)
            #expect(try picture(again) == stored, "\(pages) pages")
            again.close()
        }
        #expect(refusals <= 1)
        return refusals
    }

    /// Empty if the world is not in the file.
    private static func picture(_ store: GatewayStore) throws -> [String] {
        guard try store.load("default") != nil else { return [] }
        return try StoredScenario.picture(of: StoredScenario.restored(store))
    }
}
