import Foundation
import PushDispatch
import PushDispatchTesting
import SelectiveSync
import Testing

/// How long calls take on a clock that passes the time of whatever the app waits for.
struct SyncLimitTests {
    private let clock = PhoneClock()

    @Test func `a call for everything that waits ends with the last answer, and not at its limit`() async {
        let store = MemoryRecordStore()
        await store.keep(Hint(type: "T", object: "Account", records: [.test(1)]))
        let fetcher = ScriptedFetcher { [clock] request async throws(FetchError) in
            try? await clock.sleep(seconds: 3)
            return request.records.map { .record(ServerRecord(id: $0, fields: ["Name": "N"])) }
        }
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: fetcher, store: store, clock: clock)
        #expect(await sync.drain(until: DispatchMoment(milliseconds: 25_000)).changed == 1)
        #expect(clock.now() == DispatchMoment(milliseconds: 3_000))
    }

    @Test func `a call for everything that waits ends at its limit if the server does not answer`() async {
        let store = MemoryRecordStore()
        await store.keep(Hint(type: "T", object: "Account", records: [.test(1)]))
        let fetcher = ScriptedFetcher { [clock] request async throws(FetchError) in
            try? await clock.sleep(until: DispatchMoment(milliseconds: request.timeoutMilliseconds + 1))
            throw FetchError(.timeout, advice: .retryLater, "no answer")
        }
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: fetcher, store: store, clock: clock)
        #expect(await sync.drain(until: DispatchMoment(milliseconds: 25_000)).isFailed)
        #expect(clock.now() == DispatchMoment(milliseconds: 25_001))
    }

    @Test func `a refresh after a failed upload takes the time of its requests`() async throws {
        let world = try CRMWorld(clock: clock)
        await world.server.put(1, "A")
        #expect(await world.crm.refresh().isDone)
        try await world.crm.edit(.server(.test(1)), of: "Account") { $0["Name"] = "mine" }
        // A push comes while the server is down, and its hint waits.
        await world.server.fail(FetchError(.network, advice: .retryLater, "down"))
        #expect(await world.crm.handle(CRMWorld.push(1), from: .background) == .failed)
        #expect(await !world.crm.refresh().isDone)
        await world.server.fail(nil)
        try await clock.sleep(seconds: 1_200)
        let start = clock.now()
        await world.server.interrupt("fetch") { [clock] in try? await clock.sleep(seconds: 2) }
        let report = await world.crm.refresh()
        #expect(report.isDone && report.uploads["Account"]?.uploaded == 1)
        #expect(clock.now().milliseconds(since: start) < 5_000)
    }
}
