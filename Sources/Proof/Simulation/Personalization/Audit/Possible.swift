/// What may hold on a device: a call that is under way, that failed at its store or whose process was killed leaves several
/// possibilities. At most one call that changes the value is under way.
struct Possible<Value: Hashable> {
    /// In this process.
    private(set) var values: Set<Value>
    /// What the next process may find.
    private var stored: Set<Value>
    /// What was possible before in the same millisecond, in which tasks may still act on it.
    private var former: (values: Set<Value>, at: Int64)

    init(_ value: Value) {
        values = [value]
        stored = [value]
        former = ([], 0)
    }

    private mutating func remember(at now: Int64) {
        if former.at == now { former.values.formUnion(values) } else { former = (values, now) }
    }

    /// A call begins that sets this value.
    mutating func begin(_ value: Value, at now: Int64) {
        remember(at: now)
        values.insert(value)
        stored.insert(value)
    }

    /// The call has ended and the value holds.
    mutating func end(_ value: Value, isStored: Bool, at now: Int64) {
        remember(at: now)
        values = [value]
        if isStored { stored = [value] }
    }

    mutating func killed(at now: Int64) {
        remember(at: now)
        values = stored
    }

    /// The library says what holds in a new process.
    ///
    /// - Returns: False if that is not possible.
    mutating func found(_ value: Value, at now: Int64) -> Bool {
        defer { end(value, isStored: true, at: now) }
        return values.contains(value)
    }

    /// Everything that was possible at some moment of this millisecond.
    func during(_ now: Int64) -> Set<Value> { former.at == now ? values.union(former.values) : values }
}
