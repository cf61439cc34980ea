/// Items of a recommender.
extension PersonalizationService {
    func items(for decision: PointDecision, _ point: DecisionPoint, _ call: inout Call) -> [Item] {
        guard let recommender = decision.recommender, let catalog = configuration.items[recommender.type] else {
            return []
        }
        var chosen: [Item] = []
        var seen: Set<String> = []
        let anchor = anchorID(for: recommender, call)
        if recommender.omitsAnchor || recommender.order == .coViewed, let anchor { seen.insert(anchor) }
        var cannotEvaluate = false

        func take(_ item: Item) {
            guard chosen.count < recommender.limit, !seen.contains(item.id) else { return }
            do throws(Condition.CannotEvaluate) {
                guard try recommender.filters.allHold(call.facts, item: item) else { return }
            } catch {
                cannotEvaluate = true
                return
            }
            seen.insert(item.id)
            chosen.append(item)
        }

        for id in preferred(recommender, anchor, call) { catalog.item(id).map(take) }
        if recommender.order == .listed || recommender.fills {
            for item in catalog.items {
                guard chosen.count < recommender.limit else { break }
                take(item)
            }
        }
        if cannotEvaluate {
            call.note(Diagnostic(521, "\(point.name): a filter compares a number with text"), point.name)
        }
        return cut(chosen, point, &call)
    }

    /// The item that recommendations are about: that of the request, else the last one that the person viewed.
    private func anchorID(for recommender: Recommender, _ call: Call) -> String? {
        if let anchor = call.facts.anchor { return anchor.id }
        return recommender.order == .coViewed ? call.request.anchorID ?? call.viewed.last : nil
    }

    /// Ids of the items that come first.
    private func preferred(_ recommender: Recommender, _ anchor: String?, _ call: Call) -> [String] {
        switch recommender.order {
        case .listed: return []
        case .viewed: return call.viewed.reversed()
        case .coViewed:
            guard let anchor else { return [] }
            return individuals[call.space].coViews.with(anchor)
                .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .map(\.key)
        }
    }

    /// Cuts off what is too large for a reply.
    private func cut(_ items: [Item], _ point: DecisionPoint, _ call: inout Call) -> [Item] {
        var bytes = 0
        for (index, item) in items.enumerated() {
            bytes += item.fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
            guard bytes > configuration.limits.contentBytes else { continue }
            call.note(
                Diagnostic(
                    533,
                    "\(point.name): the content is larger than \(configuration.limits.contentBytes) bytes; "
                        + "\(items.count - index) of \(items.count) items are cut off"), point.name)
            return Array(items[..<index])
        }
        return items
    }
}
