import PushDispatch
import Testing

@testable import SelectiveSync

struct CRMStatusTests {
    @Test func `what waits in the store reaches the status`() async throws {
        let world = try CRMWorld()
        await world.server.put(1, "A")
        await world.crm.refresh()
        try await world.crm.edit(.server(.test(1)), of: "Account") { $0["Name"] = "mine" }
        await world.store.store.keep(Hint(type: "T", object: "Account", records: [.test(5), .test(6)]))
        for await status in world.crm.statuses() where status.waiting == StoreCounts(pending: 2, unsent: 1) { break }
        // The server's version contradicts the edit.
        await world.server.put(1, "theirs", at: 1_700_000_005_000)
        await world.crm.refresh()
        for await status in world.crm.statuses() where status.waiting.conflicts == 1 { break }
        let conflict = try #require(try await world.store.conflicts(of: "Account").first)
        try await world.crm.resolve(conflict, of: "Account", .theirs)
        for await status in world.crm.statuses() where status.waiting.conflicts == 0 { break }
        #expect(await world.names() == ["theirs"])
    }

    @Test func `a status says who is logged in and how far a sync is`() {
        var state = CRMState()
        #expect(state.status.phase == .locked && state.status.user == nil && !state.status.isSyncing)
        _ = state.lifecycle.open()
        state.lifecycle.opened("ada")
        state.take(OAuthEvent.logInNeeded)
        #expect(state.status.isSessionExpired && state.status.user == "ada")
        state.take(OAuthEvent.renewed)
        #expect(!state.status.isSessionExpired)
        let first = state.beginProgress(objects: 1)
        #expect(state.status.progress == 0)
        state.stepEnded(of: first)
        #expect(state.status.progress == 50)
        let second = state.beginProgress(objects: 3)
        state.stepEnded(of: first)
        state.endProgress(of: first)
        #expect(state.status.progress == 0)
        state.stepEnded(of: second)
        state.take(SyncEvent.received(object: "Account", records: 500, of: 1_000))
        #expect(state.status.progress == 37)
        state.endProgress(of: second)
        #expect(!state.status.isSyncing)
    }

    @Test func `dropped hints make a regular sync due`() {
        var state = CRMState()
        state.take(SyncEvent.unknownObject("x"))
        #expect(!state.lifecycle.isSyncDue)
        state.take(SyncEvent.regularSyncNeeded(object: "Account"))
        #expect(state.lifecycle.isSyncDue)
    }

    @Test func `progress goes from 0 to 100, and a page never ends a step`() {
        var progress = CRMProgress(objects: 2)
        var percents = [progress.percent]
        progress.stepEnded()
        percents.append(progress.percent)
        progress.received(10, of: nil)
        percents.append(progress.percent)
        progress.received(1_000, of: 500)
        percents.append(progress.percent)
        progress.stepEnded()
        progress.received(500, of: 500)
        percents.append(progress.percent)
        progress.stepEnded()
        progress.stepEnded()
        percents.append(progress.percent)
        #expect(percents == [0, 33, 33, 66, 99, 100])
    }

    @Test func `a status is reported when it changes, and a late reader gets the last one`() async {
        let board = CRMBoard()
        var statuses = board.statuses().makeAsyncIterator()
        #expect(await statuses.next()?.phase == .locked)
        board.update { $0.lifecycle.syncIsDue() }
        board.update { $0.network = .offline }
        board.update { $0.problem = "x" }
        let next = await statuses.next()
        #expect(next?.network == .offline && next?.problem == "x")
    }
}
