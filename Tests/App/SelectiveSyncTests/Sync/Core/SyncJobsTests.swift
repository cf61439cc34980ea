import Testing

@testable import SelectiveSync

struct SyncJobsTests {
    @Test func `one job of a kind runs for an object and a session`() throws {
        var jobs = SyncJobs()
        var sessions = UserSessions()
        let session = sessions.current
        let first = jobs.begin(.upload, "Account", session)
        let second = jobs.begin(.upload, "Account", session)
        #expect(first != nil && second == nil)
        let others = [jobs.begin(.upload, "Case", session), jobs.begin(.regularSync, "Account", session)]
        #expect(others.compactMap(\.self).count == 2)
        sessions.reset()
        let next = jobs.begin(.upload, "Account", sessions.current)
        #expect(next != nil)
        jobs.end(try #require(first))
        let again = jobs.begin(.upload, "Account", session)
        #expect(again == first)
    }
}
