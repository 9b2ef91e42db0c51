"""Keeps a network's weights in half as many bits: a file of half the size, widened when it is loaded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

LEAST = 256  # weights; fewer are not worth a node


def halved(path: Path) -> None:
    """Write an ONNX file anew with its large tables of weights as 16-bit floats.

    What is told from them differs by less than a thousandth: sixteen bits hold three digits, and no
    weight of these networks is near the largest that they hold.
    """
    model = onnx.load(str(path))
    graph = model.graph
    widened = []
    for table in list(graph.initializer):
        values = numpy_helper.to_array(table)
        if values.dtype != np.float32 or values.size < LEAST:
            continue
        name = f"{table.name}_half"
        widened.append(helper.make_node("Cast", [name], [table.name], to=TensorProto.FLOAT))
        graph.initializer.remove(table)
        graph.initializer.append(numpy_helper.from_array(values.astype(np.float16), name))
    nodes = [*widened, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
