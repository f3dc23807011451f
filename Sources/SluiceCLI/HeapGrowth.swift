internal import CMalloc

internal import SluiceSystem

/// The growth of the heaps from which threads allocate memory.
enum HeapGrowth {
  /// Makes the whole address space of each heap usable in one step.
  ///
  /// By default, the GNU C library extends the heap of a thread by a page or two at a time, with a
  /// system call each. A run on 100,000 recorded answers made 8,300 of these calls. The pages take
  /// no memory until they are used.
  static func reserveWholeHeaps() {
    #if canImport(Glibc)
    _ = mallopt(M_TOP_PAD, 64 << 20)
    #endif
  }
}
