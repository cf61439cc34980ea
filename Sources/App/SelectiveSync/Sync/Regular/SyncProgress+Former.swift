import PushDispatch

/// Reading the progress of an earlier version of this library, in which the step of a pass was a word and several optional
/// members. A pass that it has interrupted goes on.
extension SyncProgress.Pass {
    private enum FormerKeys: String, CodingKey {
        case phase, next, pages, landmark, received, refusals, highest, covered, isSorted, wantsGhosts, ghostCursor
    }

    private enum FormerPhase: String, Decodable { case query, deletions, ghosts }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let former = try decoder.container(keyedBy: FormerKeys.self)
        pending = try members.decode(PendingMark.self, forKey: .pending)
        began = try members.decode(ServerDate.self, forKey: .began)
        serverDate = try members.decodeIfPresent(ServerDate.self, forKey: .serverDate)
        isFull = try members.decode(Bool.self, forKey: .isFull)
        if let step = try members.decodeIfPresent(SyncProgress.Step.self, forKey: .step) {
            self.step = step
            wantsComparison = try members.decode(Bool.self, forKey: .wantsComparison)
            return
        }
        wantsComparison = try former.decode(Bool.self, forKey: .wantsGhosts)
        switch try former.decode(FormerPhase.self, forKey: .phase) {
        case .query: step = .query(try Self.pages(former))
        case .deletions: step = .deletions
        case .ghosts: step = .compare(after: try former.decodeIfPresent(RecordID.self, forKey: .ghostCursor))
        }
    }

    private static func pages(_ former: KeyedDecodingContainer<FormerKeys>) throws -> PageChain {
        var pages = PageChain()
        pages.read = try former.decode(Int.self, forKey: .pages)
        pages.refusals = try former.decodeIfPresent(Int.self, forKey: .refusals) ?? 0
        if let next = try former.decodeIfPresent(String.self, forKey: .next) {
            pages.place = .next(
                PageChain.Link(
                    address: next, received: try former.decodeIfPresent(Int.self, forKey: .received) ?? 0,
                    landmark: try former.decodeIfPresent(String.self, forKey: .landmark)))
        }
        if let highest = try former.decodeIfPresent(ServerDate.self, forKey: .highest) {
            let covered = try former.decodeIfPresent(ServerDate.self, forKey: .covered)
            let isSorted = try former.decode(Bool.self, forKey: .isSorted)
            pages.dates = isSorted ? .ascending(highest: highest, covered: covered) : .mixed(highest: highest)
        }
        return pages
    }
}
